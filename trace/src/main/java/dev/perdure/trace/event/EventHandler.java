package dev.perdure.trace.event;

/**
 * Receives a trace, one method an event kind. The event is a flyweight: it is valid during the call
 * only. Methods that a reader does not care for do nothing.
 */
public interface EventHandler extends EventConsumer {
  @Override
  default void accept(Event e) {
    dispatch(e, this);
  }

  default void load(Event e) {}

  default void store(Event e) {}

  default void storeNt(Event e) {}

  default void rmw(Event e) {}

  default void casFailed(Event e) {}

  default void loadBlock(Event e) {}

  default void storeBlock(Event e) {}

  default void storeNtBlock(Event e) {}

  default void flush(Event e) {}

  default void fence(Event e) {}

  default void persist(Event e) {}

  default void acquire(Event e) {}

  default void release(Event e) {}

  default void barrierInit(Event e) {}

  default void barrierEnter(Event e) {}

  default void barrierLeave(Event e) {}

  default void semPost(Event e) {}

  default void semWait(Event e) {}

  default void onceDone(Event e) {}

  default void oncePass(Event e) {}

  default void condSignal(Event e) {}

  default void syncDestroy(Event e) {}

  default void delay(Event e) {}

  default void threadBegin(Event e) {}

  default void threadCreate(Event e) {}

  default void threadEnd(Event e) {}

  default void threadJoin(Event e) {}

  default void threadDetach(Event e) {}

  default void processBegin(Event e) {}

  default void processFork(Event e) {}

  default void processExec(Event e) {}

  default void processExit(Event e) {}

  default void map(Event e) {}

  default void unmap(Event e) {}

  default void pmRange(Event e) {}

  default void alloc(Event e) {}

  default void free(Event e) {}

  default void txBegin(Event e) {}

  default void txCommit(Event e) {}

  default void txAbort(Event e) {}

  default void txEnd(Event e) {}

  default void txAdd(Event e) {}

  default void libraryEnter(Event e) {}

  default void libraryLeave(Event e) {}

  default void roiBegin(Event e) {}

  default void roiEnd(Event e) {}

  default void relaxedBegin(Event e) {}

  default void relaxedEnd(Event e) {}

  default void failurePoint(Event e) {}

  default void skipFailuresBegin(Event e) {}

  default void skipFailuresEnd(Event e) {}

  default void skipDetectionBegin(Event e) {}

  default void skipDetectionEnd(Event e) {}

  default void detectionComplete(Event e) {}

  default void commitVar(Event e) {}

  default void commitRange(Event e) {}

  default void syncVar(Event e) {}

  default void label(Event e) {}

  default void labelUnion(Event e) {}

  default void effect(Event e) {}

  default void regionStart(Event e) {}

  /**
   * Calls the method of the event's kind. Unknown kinds are passed over, so that old readers read
   * new traces.
   */
  static void dispatch(Event e, EventHandler handler) {
    switch (e.kind()) {
      case EventKind.LOAD -> handler.load(e);
      case EventKind.STORE -> handler.store(e);
      case EventKind.STORE_NT -> handler.storeNt(e);
      case EventKind.RMW -> handler.rmw(e);
      case EventKind.CAS_FAILED -> handler.casFailed(e);
      case EventKind.LOAD_BLOCK -> handler.loadBlock(e);
      case EventKind.STORE_BLOCK -> handler.storeBlock(e);
      case EventKind.STORE_NT_BLOCK -> handler.storeNtBlock(e);
      case EventKind.FLUSH -> handler.flush(e);
      case EventKind.FENCE -> handler.fence(e);
      case EventKind.PERSIST -> handler.persist(e);
      case EventKind.ACQUIRE -> handler.acquire(e);
      case EventKind.RELEASE -> handler.release(e);
      case EventKind.BARRIER_INIT -> handler.barrierInit(e);
      case EventKind.BARRIER_ENTER -> handler.barrierEnter(e);
      case EventKind.BARRIER_LEAVE -> handler.barrierLeave(e);
      case EventKind.SEM_POST -> handler.semPost(e);
      case EventKind.SEM_WAIT -> handler.semWait(e);
      case EventKind.ONCE_DONE -> handler.onceDone(e);
      case EventKind.ONCE_PASS -> handler.oncePass(e);
      case EventKind.COND_SIGNAL -> handler.condSignal(e);
      case EventKind.SYNC_DESTROY -> handler.syncDestroy(e);
      case EventKind.DELAY -> handler.delay(e);
      case EventKind.THREAD_BEGIN -> handler.threadBegin(e);
      case EventKind.THREAD_CREATE -> handler.threadCreate(e);
      case EventKind.THREAD_END -> handler.threadEnd(e);
      case EventKind.THREAD_JOIN -> handler.threadJoin(e);
      case EventKind.THREAD_DETACH -> handler.threadDetach(e);
      case EventKind.PROCESS_BEGIN -> handler.processBegin(e);
      case EventKind.PROCESS_FORK -> handler.processFork(e);
      case EventKind.PROCESS_EXEC -> handler.processExec(e);
      case EventKind.PROCESS_EXIT -> handler.processExit(e);
      case EventKind.MAP -> handler.map(e);
      case EventKind.UNMAP -> handler.unmap(e);
      case EventKind.PM_RANGE -> handler.pmRange(e);
      case EventKind.ALLOC -> handler.alloc(e);
      case EventKind.FREE -> handler.free(e);
      case EventKind.TX_BEGIN -> handler.txBegin(e);
      case EventKind.TX_COMMIT -> handler.txCommit(e);
      case EventKind.TX_ABORT -> handler.txAbort(e);
      case EventKind.TX_END -> handler.txEnd(e);
      case EventKind.TX_ADD -> handler.txAdd(e);
      case EventKind.LIBRARY_ENTER -> handler.libraryEnter(e);
      case EventKind.LIBRARY_LEAVE -> handler.libraryLeave(e);
      case EventKind.ROI_BEGIN -> handler.roiBegin(e);
      case EventKind.ROI_END -> handler.roiEnd(e);
      case EventKind.RELAXED_BEGIN -> handler.relaxedBegin(e);
      case EventKind.RELAXED_END -> handler.relaxedEnd(e);
      case EventKind.FAILURE_POINT -> handler.failurePoint(e);
      case EventKind.SKIP_FAILURES_BEGIN -> handler.skipFailuresBegin(e);
      case EventKind.SKIP_FAILURES_END -> handler.skipFailuresEnd(e);
      case EventKind.SKIP_DETECTION_BEGIN -> handler.skipDetectionBegin(e);
      case EventKind.SKIP_DETECTION_END -> handler.skipDetectionEnd(e);
      case EventKind.DETECTION_COMPLETE -> handler.detectionComplete(e);
      case EventKind.COMMIT_VAR -> handler.commitVar(e);
      case EventKind.COMMIT_RANGE -> handler.commitRange(e);
      case EventKind.SYNC_VAR -> handler.syncVar(e);
      case EventKind.LABEL -> handler.label(e);
      case EventKind.LABEL_UNION -> handler.labelUnion(e);
      case EventKind.EFFECT -> handler.effect(e);
      case EventKind.REGION_START -> handler.regionStart(e);
      default -> {}
    }
  }
}

package dev.perdure.detect;

import dev.perdure.detect.sync.Locks;
import dev.perdure.detect.sync.Rendezvous;
import dev.perdure.detect.sync.ThreadState;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventHandler;
import dev.perdure.trace.event.EventInfo;

/** Threads and processes begin and end, and wait for each other other than by locks. */
final class ThreadEvents extends Events implements EventHandler {
  private final Locks locks;
  private final Rendezvous rendezvous = new Rendezvous();

  ThreadEvents(Engines engines) {
    super(engines);
    locks = engines.locks;
  }

  @Override
  public void barrierInit(Event e) {
    thread(e);
    rendezvous.initBarrier(e.address(), e.value());
  }

  @Override
  public void barrierEnter(Event e) {
    ThreadState t = thread(e);
    fence(t, e);
    rendezvous.enterBarrier(t, e.address());
  }

  @Override
  public void barrierLeave(Event e) {
    ThreadState t = thread(e);
    rendezvous.leaveBarrier(t);
    fence(t, e);
  }

  @Override
  public void semPost(Event e) {
    ThreadState t = thread(e);
    fence(t, e);
    rendezvous.publish(t, e.address());
  }

  @Override
  public void semWait(Event e) {
    ThreadState t = thread(e);
    rendezvous.receive(t, e.address());
    fence(t, e);
  }

  @Override
  public void onceDone(Event e) {
    ThreadState t = thread(e);
    fence(t, e);
    rendezvous.publish(t, e.address());
  }

  @Override
  public void oncePass(Event e) {
    rendezvous.receive(thread(e), e.address());
  }

  @Override
  public void syncDestroy(Event e) {
    thread(e);
    locks.destroy(e.address());
    rendezvous.destroy(e.address());
  }

  @Override
  public void threadBegin(Event e) {
    addCount(1);
    if (e.address() != 0) {
      // Where its creation was not seen, the creator's clock moves on.
      calm.settle(threads.of((int) e.address()));
    }
    threads.begin((int) e.value(), (int) e.address());
    threads.of((int) e.value());
  }

  @Override
  public void threadCreate(Event e) {
    ThreadState t = thread(e);
    fence(t, e);
    threads.create(t, (int) e.value());
  }

  @Override
  public void threadEnd(Event e) {
    threads.end(thread(e));
  }

  @Override
  public void threadJoin(Event e) {
    ThreadState t = thread(e);
    calm.settle(threads.of((int) e.value()));
    threads.join(t, (int) e.value());
    if (e.info() != EventInfo.JOINED_PROCESS) {
      fence(t, e);
    }
  }

  @Override
  public void threadDetach(Event e) {
    thread(e);
    threads.detach((int) e.value());
  }

  @Override
  public void processBegin(Event e) {
    threads.enterProcess(thread(e), (int) e.value());
  }

  @Override
  public void processFork(Event e) {
    threads.create(thread(e), (int) e.value());
  }
}

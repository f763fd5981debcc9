package dev.perdure.detect;

import dev.perdure.detect.finding.RaceFindings;
import dev.perdure.detect.shadow.Blocks;
import dev.perdure.detect.shadow.ShadowPm;
import dev.perdure.detect.sync.ThreadState;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventHandler;

/**
 * What is told of memory and code: what is persistent, blocks and transactions, where detection
 * applies, and the effects of loads.
 */
final class Announcements extends Events implements EventHandler {
  private final ShadowPm shadow;
  private final Blocks blocks;
  private final RaceFindings races;

  Announcements(Engines engines) {
    super(engines);
    shadow = engines.shadow;
    blocks = engines.blocks;
    races = engines.races;
  }

  @Override
  public void map(Event e) {
    thread(e);
    pm.add(e.address(), e.value());
  }

  @Override
  public void pmRange(Event e) {
    thread(e);
    pm.add(e.address(), e.value());
  }

  @Override
  public void unmap(Event e) {
    thread(e);
    calm.settleAll();
    pm.remove(e.address(), e.value());
  }

  @Override
  public void alloc(Event e) {
    ThreadState t = thread(e);
    if (pm.contains(e.address())) {
      blocks.allocate(t, origin(e), e.time(), e.address(), e.value(), (e.info() & 1) != 0);
      taint.transactions().add(t.number(), e.address(), e.value());
    }
  }

  @Override
  public void free(Event e) {
    thread(e);
    if (pm.contains(e.address())) {
      blocks.free(e.address(), e.value());
    }
  }

  @Override
  public void txBegin(Event e) {
    taint.transactions().begin(thread(e).number());
  }

  @Override
  public void txAdd(Event e) {
    taint.transactions().add(thread(e).number(), e.address(), e.value());
  }

  @Override
  public void txEnd(Event e) {
    taint.transactions().end(thread(e).number());
  }

  @Override
  public void libraryEnter(Event e) {
    thread(e).enterLibrary(1);
  }

  @Override
  public void libraryLeave(Event e) {
    thread(e).enterLibrary(-1);
  }

  @Override
  public void relaxedBegin(Event e) {
    thread(e).enterRelaxed(1);
  }

  @Override
  public void relaxedEnd(Event e) {
    thread(e).enterRelaxed(-1);
  }

  @Override
  public void skipDetectionBegin(Event e) {
    thread(e).enterSkipped(1);
  }

  @Override
  public void skipDetectionEnd(Event e) {
    thread(e).enterSkipped(-1);
  }

  @Override
  public void roiBegin(Event e) {
    ThreadState t = thread(e);
    calm.settleAll();
    if (t.process().openRegion()) {
      calm.makeAll();
      int process = t.process().number();
      shadow.exempt(index -> threads.at(index).process().number() == process);
      races.dropProcess(process);
      flushes.clear();
      fences.clear();
    }
  }

  @Override
  public void roiEnd(Event e) {
    calm.settleAll();
    thread(e).process().closeRegion();
  }

  @Override
  public void syncVar(Event e) {
    thread(e);
    synchronisation.declare(e.address(), e.value());
  }

  @Override
  public void effect(Event e) {
    ThreadState t = thread(e);
    if (followsData) {
      taint.effect(t, e, origin(e));
    }
  }
}

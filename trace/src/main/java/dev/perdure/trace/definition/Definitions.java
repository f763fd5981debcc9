package dev.perdure.trace.definition;

import dev.perdure.trace.event.Symbols;
import java.util.List;

/**
 * Everything that a trace defines beside its events. The lists only grow while the target runs;
 * what an event refers to is defined by the time the event can be read.
 */
public interface Definitions extends Symbols {
  /** In the order of their sites' numbers. */
  List<ModuleSites> modules();

  /** By the index that map events carry. */
  List<PmFile> files();

  /** By the index that the begin of a process carries. */
  List<TargetProcess> processes();
}

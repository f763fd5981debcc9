/**
 * The program as the robustness analysis sees it: functions as blocks of {@link
 * dev.perdure.robust.program.Step}s, references as numbers, addresses as {@link
 * dev.perdure.robust.program.Location}s. It is read once from LLVM's module, after which the
 * analyses are plain Java.
 *
 * <p>Marks of perdure.h stand in branches of the form <em>if the runtime is there</em>; the reader
 * takes these branches, so that what a mark says holds whether the runtime is there or not.
 */
package dev.perdure.robust.program;

/**
 * Static robustness analysis and automatic insertion of flushes and fences, after PMRobust (Guo,
 * Luo, Demsky). {@link dev.perdure.robust.RobustnessPass} works on the merged module of a program
 * before it is optimised.
 */
package dev.perdure.robust;

/**
 * PMRobust's analysis (Guo, Luo, Demsky, <em>Automated Insertion of Flushes and Fences for
 * Persistency</em>, sections IV to VII): escape and persistency state of every location at every
 * point, function summaries for calling contexts, three kinds of violation, and the flushes and
 * fences that remove them.
 *
 * <h2>State</h2>
 *
 * A location is a reference and a distance ({@link dev.perdure.robust.program.Location}); its
 * {@link dev.perdure.robust.analysis.Cell} is clean, clwb or dirty, and names the stores and atomic
 * loads that made it so. A reference is captured as long as its object was allocated here and its
 * address has been put nowhere but into variables, or into objects that are captured themselves:
 * these escape together, and a load from one of them, a call that it is handed to and the end of
 * the function count as its escape, since what it holds may come to light there. So do objects that
 * one reference may mean, and a new object with an old one that the same reference may mean. Values
 * are in SSA form: where one is computed anew (in a loop), the locations that mention its old value
 * can no longer be flushed by name; what was unclean about them stays unclean as part of the
 * object, or of {@code ELSEWHERE}. This is the paper's rule for arrays whose index variable is
 * lost, and for references likewise.
 *
 * <h2>Violations</h2>
 *
 * Reachable memory must be clean when the function stores to other reachable memory, when another
 * thread may be let go on (release store, unlock, thread creation), and when the function ends,
 * unless the caller knows the memory by a parameter or by the result; what is flushed already may
 * be fenced by the caller, who needs no name for that. Atomic loads make their location dirty, for
 * the value may be another thread's that is still on its way; at the end of a function they are
 * handed to the caller, since only the next store has to wait for them. Stores that certainly lie
 * in one cache line become persistent in their order by themselves.
 *
 * <h2>Held lines</h2>
 *
 * Which stores share a line is often known only when the program runs. A store to reachable memory
 * that another such store may follow is therefore not flushed at once: its thread <em>holds</em>
 * the line, one at a time. Before each store that it may follow, and before each store that is held
 * itself, the program flushes and fences the held line if it is another than that of the store (it
 * <em>turns</em>). So a store that is held stays dirty in the analysis until a turn, which leaves
 * it either persistent or in the line of a later store, or until a drain.
 *
 * <h2>Atomic loads</h2>
 *
 * Without counters, a line that an atomic load has read is noted when the program runs, and what is
 * noted is flushed and fenced (<em>drained</em>) before the next step that needs it. Such a load
 * stays dirty in the analysis until a drain: no other fence helps. A drain covers all that the
 * thread has noted, its callers' notes included: one token stands for these wherever they lie, and
 * a function drains for its callers if one of them has noted something that the function needs. It
 * also covers the line that is held; of callers' held lines the analysis does not rely on that. A
 * drain fences whatever is flushed. Where the step is a fence itself, a drain only flushes.
 *
 * <h2>Fences when the program runs</h2>
 *
 * An inserted fence happens only if a flush has happened since the last fence of the thread; steps
 * that are fences themselves count. That changes nothing here: where it does not happen, there is
 * nothing to wait for.
 *
 * <h2>Code that is not known</h2>
 *
 * A call through a pointer, or of a function of which nothing is known, may store, may release and
 * may publish its arguments: everything reachable must be clean before it. In return a function
 * whose address is taken, or that is visible outside, finds everything clean when it starts, and
 * leaves everything clean, parameters included. (The paper names this remedy and leaves it out.)
 *
 * <h2>Exceptions and second returns</h2>
 *
 * Before an exception may leave a function, by a throw, by the end of a cleanup or by a call of
 * code that is not known, everything reachable must be clean, and so must what the function has
 * stored to its caller's new objects: who catches the exception learns nothing else of the function
 * but which parameters have escaped. Where a call cannot throw, nothing goes to its landing pad. In
 * a function that calls setjmp nothing is captured, since its ways do not show what happened before
 * the second return.
 *
 * <h2>Summaries</h2>
 *
 * The context of a call is which arguments are captured. Their persistency states need not be part
 * of it: what the caller brings unclean enters the function as tokens ({@code Incoming}), which
 * flow through the same transfer functions as everything else. The summary says which tokens were
 * still unclean at a point that needed them clean (then the caller fences before the call), and
 * which are at the end. A new context starts from the summaries of the contexts above it.
 *
 * <h2>Termination</h2>
 *
 * Escape facts only grow, from captured to escaped, and do not depend on persistency states; once
 * they are settled, every transfer function is monotone in the cells, whose origins are the steps
 * and tokens of one finite program. Locations are finite, too: distances come from the program's
 * text, and a caller's view of a callee's places is cut to a constant number of them per function.
 * A context or a block that is visited very often is only added to, never replaced. Repair
 * terminates because flushes and fences are only added, and there are as many places for them as
 * there are steps.
 *
 * <h2>Limits</h2>
 *
 * Programs must be free of data races on ordinary accesses, as the paper assumes; volatile accesses
 * count as atomic. A failed compare-exchange publishes what it would have stored. Memory that one
 * store instruction or library copy writes in several lines is one location: its lines may reach
 * memory in any order. Assembler sources and code that was not built with Perdure are not seen.
 */
package dev.perdure.robust.analysis;

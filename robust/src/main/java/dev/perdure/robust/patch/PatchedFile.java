package dev.perdure.robust.patch;

import dev.perdure.model.code.Frame;
import dev.perdure.model.repair.Insertion;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the places of flushes and fences in one file. */
final class PatchedFile {
  private static final String FENCE = "perdure_fence()";
  private static final Pattern EFFECT = Pattern.compile("\\w\\s*\\(|\\+\\+|--|[^=!<>]=[^=]");

  private final SourceText source;
  private final Statement file;
  private final Edits edits;
  private int marks;

  PatchedFile(SourceText source) {
    this.source = source;
    this.file = StatementReader.read(source);
    this.edits = new Edits(source);
  }

  Map<Integer, List<String>> byLine() {
    return edits.byLine();
  }

  /** Comments in place of flushes. */
  int marks() {
    return marks;
  }

  void insert(Insertion insertion) {
    Frame frame = insertion.site().innermost();
    if (frame.line() > source.lineCount()) {
      return;
    }
    int offset = offset(frame.line(), insertion.column());
    Statement statement = file.at(offset);
    if (insertion.kind() == Insertion.Kind.FENCE) {
      fenceAt(offset, statement);
    } else {
      flushAt(offset, statement);
    }
  }

  /** Without a column: a return in the line, or its end of a block, or what begins in it. */
  private int offset(int line, int column) {
    int start = source.lineStart(line);
    int end = source.lineEnd(line);
    if (column > 0 && start + column <= end) {
      return start + column - 1;
    }
    String code = source.code().substring(start, end);
    Matcher leaving = Pattern.compile("\\breturn\\b").matcher(code);
    if (leaving.find()) {
      return start + leaving.start();
    }
    int brace = code.lastIndexOf('}');
    return brace >= 0 && code.substring(brace + 1).isBlank() && code.indexOf('{') < 0
        ? start + brace
        : source.skipBlanks(start);
  }

  private void fenceAt(int offset, Statement statement) {
    switch (statement.kind()) {
      case BLOCK -> {
        if (statement.parent() != null) {
          fenceInBlock(offset, statement);
        }
      }
      case RETURN -> fenceAtReturn(offset, statement);
      case WHILE, DO, FOR -> fenceAtLoop(offset, statement);
      case HEADED -> {}
      default -> edits.before(statement, FENCE + ";");
    }
  }

  /** At the end of a function, or of a block whose objects are destroyed. */
  private void fenceInBlock(int offset, Statement block) {
    if (block.parent().kind() == Statement.Kind.HEADED && offset == block.end() - 1) {
      returnsIn(block);
    }
    List<Statement> inside = block.children();
    Statement last = inside.isEmpty() ? null : inside.get(inside.size() - 1);
    if (last == null) {
      edits.inside(block.end() - 1, FENCE + "; ");
    } else if (last.kind() != Statement.Kind.RETURN) {
      edits.after(last, FENCE + ";");
    }
  }

  private void returnsIn(Statement statement) {
    for (Statement child : statement.children()) {
      if (child.kind() == Statement.Kind.RETURN) {
        fenceAtReturn(child.start(), child);
      } else if (child.kind() != Statement.Kind.HEADED && child.kind() != Statement.Kind.SIMPLE) {
        returnsIn(child);
      }
    }
  }

  /** The fence comes behind the effects of the value that is returned. */
  private void fenceAtReturn(int offset, Statement statement) {
    int from = statement.start() + "return".length();
    int to = source.code().lastIndexOf(';', statement.end());
    boolean effects = to > from && EFFECT.matcher(source.code().substring(from, to)).find();
    if (offset == statement.start() && effects) {
      edits.wrap(source.skipBlanks(from), to, "PERDURE_FENCED", "");
    } else {
      edits.before(statement, FENCE + ";");
    }
  }

  private void fenceAtLoop(int offset, Statement loop) {
    int from = loop.headStart();
    if (!loop.inHead(offset)) {
      edits.before(loop, FENCE + ";");
    } else if (loop.kind() != Statement.Kind.FOR) {
      edits.inside(source.skipBlanks(from), FENCE + ", ");
    } else {
      int part = partStart(loop, offset);
      if (part == from) {
        edits.before(loop, FENCE + ";");
      } else {
        edits.inside(source.skipBlanks(part), FENCE + ", ");
      }
    }
  }

  /** Where the part of a for loop's head starts that a place lies in. */
  private int partStart(Statement loop, int offset) {
    int depth = 0;
    int part = loop.headStart();
    for (int i = loop.headStart(); i < offset; i++) {
      char c = source.code().charAt(i);
      depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
      part = c == ';' && depth == 0 ? i + 1 : part;
    }
    return part;
  }

  private void flushAt(int offset, Statement statement) {
    Optional<StoreTarget> found = StoreTarget.at(source, offset, statement);
    if (found.isEmpty()) {
      mark(statement);
      return;
    }
    StoreTarget target = found.get();
    if (target.once()) {
      flushOnce(target, statement);
      return;
    }
    switch (statement.kind()) {
      case SIMPLE -> edits.after(statement, target.flush() + ";");
      case RETURN, IF, SWITCH, WHILE, DO, FOR -> flushInExpression(target, offset, statement);
      default -> mark(statement);
    }
  }

  private void flushOnce(StoreTarget target, Statement statement) {
    if (statement.kind() != Statement.Kind.SIMPLE || target.start() != statement.start()) {
      mark(statement);
      return;
    }
    String name = source.text().substring(target.start(), target.nameEnd());
    edits.directlyBefore(target.start(), target.holding(name));
    edits.behind(target.nameEnd(), StoreTarget.held());
    edits.after(statement, target.flush() + "; }");
  }

  private void flushInExpression(StoreTarget target, int offset, Statement statement) {
    boolean step = statement.kind() == Statement.Kind.FOR && isOwnPart(statement, offset);
    if (step) {
      edits.behind(target.end(), ", " + target.flush());
    } else {
      int start = source.skipBlanks(target.start());
      String further = ", " + target.address() + ", " + target.bytes();
      edits.wrap(start, target.end(), "PERDURE_FLUSHED", further);
    }
  }

  /** The first and the last part of a for loop are there for their effects only. */
  private boolean isOwnPart(Statement loop, int offset) {
    int part = partStart(loop, offset);
    return part == loop.headStart() || partStart(loop, loop.headEnd()) == part;
  }

  private void mark(Statement statement) {
    marks++;
    String comment = "/* perdure: flush here what is stored */";
    switch (statement.kind()) {
      case SIMPLE -> edits.after(statement, comment);
      case BLOCK -> edits.inside(statement.start() + 1, " " + comment);
      case HEADED -> {
        // Members that a constructor initialises before its body begins.
        Statement body = statement.children().get(statement.children().size() - 1);
        edits.inside(body.start() + 1, " " + comment);
      }
      default -> edits.before(statement, comment);
    }
  }
}

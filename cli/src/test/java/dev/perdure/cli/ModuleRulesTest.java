package dev.perdure.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The table of ARCHITECTURE.md: who may use whom. */
class ModuleRulesTest {
  private static final Map<String, Set<String>> MAY_USE = new LinkedHashMap<>();

  static {
    MAY_USE.put("model", Set.of());
    MAY_USE.put("trace", Set.of("model"));
    MAY_USE.put("detect", Set.of("model", "trace"));
    MAY_USE.put("flow", Set.of("model"));
    MAY_USE.put("llvm", Set.of("flow", "model"));
    MAY_USE.put("binary", Set.of("flow", "model"));
    MAY_USE.put("robust", Set.of("flow", "llvm", "model"));
    MAY_USE.put("target", Set.of("model", "trace", "binary"));
    MAY_USE.put("crash", Set.of("model", "trace", "detect", "target"));
    MAY_USE.put("fuzz", Set.of("model", "trace", "detect", "target", "crash"));
    MAY_USE.put("report", Set.of("model"));
    MAY_USE.put(
        "cli",
        Set.of(
            "model", "trace", "detect", "flow", "llvm", "robust", "binary", "target", "report",
            "crash", "fuzz"));
  }

  private final JavaClasses classes =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.perdure");

  @TestFactory
  Stream<DynamicTest> shouldKeepModulesApart() {
    return MAY_USE.entrySet().stream()
        .map(
            module ->
                DynamicTest.dynamicTest(
                    module.getKey(),
                    () -> {
                      List<String> forbidden =
                          MAY_USE.keySet().stream()
                              .filter(
                                  m -> !m.equals(module.getKey()) && !module.getValue().contains(m))
                              .map(m -> "dev.perdure." + m + "..")
                              .toList();
                      if (!forbidden.isEmpty()) {
                        noClasses()
                            .that()
                            .resideInAPackage("dev.perdure." + module.getKey() + "..")
                            .should()
                            .dependOnClassesThat()
                            .resideInAnyPackage(forbidden.toArray(String[]::new))
                            .check(classes);
                      }
                    }));
  }
}

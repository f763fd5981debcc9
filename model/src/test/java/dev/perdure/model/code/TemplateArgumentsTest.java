package dev.perdure.model.code;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TemplateArgumentsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          resize|resize
          Table<int>::resize|Table<int>::resize
          Table<unsigned long, Hasher, std::equal_to<unsigned long> >::resize|Table<...>::resize
          store in a<std::map<long, std::vector<int>>>::f (a.h:1) and b<int>::g|store in a<...>::f (a.h:1) and b<int>::g
          operator< <long, std::vector<int>, std::less<long>>|operator< <...>
          std::operator<<<std::char_traits<char>, std::string>|std::operator<<<...>
          List::operator->|List::operator->
          f<(A)1, &Node::operator->, Something::Longer>::g|f<...>::g
          a < b and nothing closes it, however long the text goes on|a < b and nothing closes it, however long the text goes on
          """)
  void shouldShortenLongArguments(String text, String shortened) {
    assertThat(TemplateArguments.shortened(text)).isEqualTo(shortened);
  }
}

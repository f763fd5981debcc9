package dev.perdure.report.json;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.perdure.model.region.AccessRegion;
import dev.perdure.model.region.CodePlace;
import java.util.List;

/** What {@code perdure regions --json} writes. */
public final class RegionsJson {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private RegionsJson() {}

  public static byte[] write(List<AccessRegion> accesses) {
    ObjectNode root = NODES.objectNode();
    var list = root.putArray("accesses");
    for (AccessRegion access : accesses) {
      ObjectNode node = list.addObject();
      node.put("kind", access.kind().label());
      node.put("function", access.place().frame().function());
      putPlace(node, access.place());
      var starts = node.putArray("starts");
      access.starts().forEach(start -> putPlace(starts.addObject(), start));
    }
    return JsonText.of(root);
  }

  private static void putPlace(ObjectNode node, CodePlace place) {
    node.put("file", place.frame().file());
    node.put("line", place.frame().line());
    if (place.address().isPresent()) {
      node.put("address", place.address().getAsLong());
    } else {
      node.putNull("address");
    }
  }
}

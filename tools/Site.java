import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/** Makes static pages of the project's Markdown: {@code Site ROOT OUT}. See tools/site. */
class Site {
  private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());
  private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();
  private static final HtmlRenderer RENDERER =
      HtmlRenderer.builder()
          .extensions(EXTENSIONS)
          .attributeProviderFactory(
              context ->
                  (node, tag, attributes) -> {
                    if (node instanceof Heading) {
                      attributes.put("id", anchor(node));
                    }
                  })
          .build();

  /** The entries of the menu, in order: a page and its name in the menu. */
  private static final String[][] MENU = {
    {"README.md", "Staunch"},
    {"docs/service.md", "Use it in a service"},
    {"docs/verify-in-ci.md", "Verify a model in CI"},
    {"docs/from-djl.md", "Move from DJL"},
    {"docs/cheat-sheet.md", "Cheat sheet"},
    {"docs/debugging-a-model.md", "Debug a model"},
    {"docs/own-operations.md", "Operations of your own"},
    {"docs/data.md", "Data"},
    {"docs/start-up.md", "Starting fast"},
    {"docs/performance.md", "Performance"},
    {"docs/semantics.md", "The rules"},
    {"docs/proofs.md", "Proofs"},
    {"docs/floors.md", "Floors"},
    {"SECURITY.md", "Security"},
    {"docs/roadmap.md", "Roadmap"},
    {"CHANGELOG.md", "Changelog"},
    {"api/index.html", "API"},
  };

  private static final String STYLE =
      """
      body { margin: 0; font: 16px/1.55 system-ui, sans-serif; color: #1d2730; display: flex; }
      nav { flex: 0 0 13rem; padding: 2rem 1.2rem; background: #f3f5f7; min-height: 100vh; }
      nav a { display: block; padding: .2rem 0; color: #33475b; text-decoration: none; }
      nav a.here { font-weight: 600; color: #00567d; }
      main { flex: 1 1 auto; min-width: 0; max-width: 68rem; padding: 1rem 2.5rem 4rem; }
      h1, h2, h3 { line-height: 1.25; } h2 { margin-top: 2.2rem; border-bottom: 1px solid #dde3e8; }
      a { color: #00658f; } code { font: .88em ui-monospace, monospace; background: #f3f5f7; padding: .1em .25em; }
      pre { background: #f3f5f7; padding: .9rem 1.1rem; overflow-x: auto; border-radius: 4px; }
      pre code { padding: 0; background: none; }
      table { border-collapse: collapse; display: block; overflow-x: auto; }
      th, td { border: 1px solid #dde3e8; padding: .35rem .6rem; text-align: left; vertical-align: top; }
      th { background: #f3f5f7; } td code { padding: 0; background: none; }
      @media (max-width: 50rem) { body { display: block; } nav { min-height: 0; } }
      """;

  public static void main(String[] arguments) throws IOException {
    Path root = Path.of(arguments[0]).toRealPath();
    Path out = Path.of(arguments[1]);
    for (Path page : pages(root)) {
      write(root, page, out);
    }
  }

  /** The name by which other pages link to a heading: its words in lower case. */
  private static String anchor(Node heading) {
    StringBuilder words = new StringBuilder();
    heading.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Text text) {
            words.append(text.getLiteral());
          }

          @Override
          public void visit(Code code) {
            words.append(code.getLiteral());
          }
        });
    return words.toString().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 -]", "").replace(' ', '-');
  }

  private static List<Path> pages(Path root) throws IOException {
    List<Path> pages = new ArrayList<>();
    for (String top : List.of("README.md", "SECURITY.md", "CHANGELOG.md", "CONTRIBUTING.md")) {
      pages.add(root.resolve(top));
    }
    pages.add(root.resolve("bench/README.md"));
    pages.add(root.resolve("conformance/README.md"));
    try (Stream<Path> docs = Files.walk(root.resolve("docs"))) {
      docs.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    return pages;
  }

  private static void write(Path root, Path page, Path out) throws IOException {
    Path name = root.relativize(page);
    Node document = PARSER.parse(Files.readString(page));
    List<String> broken = new ArrayList<>();
    document.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Link link) {
            link.setDestination(target(root, page, link.getDestination(), broken));
            visitChildren(link);
          }
        });
    if (!broken.isEmpty()) {
      throw new IOException(name + " links to what is not there: " + broken);
    }
    String up = "../".repeat(name.getNameCount() - 1);
    Path file = out.resolve(html(name.toString()));
    Files.createDirectories(file.getParent());
    Files.writeString(file, frame(name.toString(), up, RENDERER.render(document)));
  }

  /**
   * Pages link to other pages. Anything else is only named, because the site does not hold sources.
   */
  private static String target(Path root, Path page, String link, List<String> broken) {
    if (link.matches("[a-z]+:.*|#.*")) {
      return link;
    }
    String file = link.replaceFirst("#.*", "");
    Path meant = page.resolveSibling(file).normalize();
    if (!Files.exists(meant)) {
      broken.add(link);
    } else if (Files.isDirectory(meant) && !Files.exists(meant.resolve("README.md"))) {
      return "#";
    }
    return html(link);
  }

  private static String html(String name) {
    Matcher readme = Pattern.compile("(.*/|)README\\.md(#.*|)").matcher(name);
    return readme.matches()
        ? readme.group(1) + "index.html" + readme.group(2)
        : name.replaceFirst("\\.md(#.*|)$", ".html$1");
  }

  private static String frame(String name, String up, String body) {
    StringBuilder menu = new StringBuilder();
    String title = "Staunch";
    for (String[] entry : MENU) {
      boolean here = entry[0].equals(name);
      title = here && !entry[1].equals(title) ? entry[1] + " - Staunch" : title;
      menu.append("<a href=\"").append(up).append(html(entry[0])).append('"');
      menu.append(here ? " class=\"here\">" : ">").append(entry[1]).append("</a>\n");
    }
    return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
        + "<meta name=\"viewport\" content=\"width=device-width\"><title>"
        + title
        + "</title><style>\n"
        + STYLE
        + "</style></head>\n<body><nav>\n"
        + menu
        + "</nav><main>\n"
        + body
        + "</main></body></html>\n";
  }
}

//! Book: the pages of `docs/`, rendered.

use std::fmt::Write as _;

use askama::Template;
use include_dir::{Dir, File, include_dir};
use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

use super::SiteError;
use super::shell::{Script, Shell};
use crate::page::{self, PageError};

static DOCS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../docs");

const SUMMARY: &str = "SUMMARY";

/// Drawings of the pages that are plots; they follow the dark mode.
const PLOTS: [&str; 1] = ["drawings/time.svg"];

/// Chapter of the book, as the summary lists it.
#[derive(Debug, PartialEq, Eq)]
struct Chapter {
    name: String,
    title: String,
}

/// Part of the book: title and chapters.
#[derive(Debug)]
struct Part {
    title: String,
    chapters: Vec<Chapter>,
}

/// Navigation at the left of a page of the book.
#[derive(Template)]
#[template(path = "aside.html")]
struct Aside<'p> {
    parts: &'p [Part],
    name: &'p str,
}

/// Links below a page of the book.
#[derive(Template)]
#[template(path = "turn.html")]
struct Turn<'p> {
    previous: Option<&'p Chapter>,
    next: Option<&'p Chapter>,
}

/// Returns the parts of the book. The first chapter is the table of contents.
fn parts(summary: &str) -> Vec<Part> {
    let contents = Chapter { name: "index".to_owned(), title: "Contents".to_owned() };
    let mut parts: Vec<Part> = Vec::new();
    for line in summary.lines() {
        if let Some(title) = line.strip_prefix("# ") {
            let title = if parts.is_empty() { "First steps" } else { title };
            parts.push(Part { title: title.to_owned(), chapters: Vec::new() });
        }
        let entry = line.strip_prefix("- [").and_then(|line| line.strip_suffix(".md)")?.split_once("]("));
        if let (Some((title, name)), Some(part)) = (entry, parts.last_mut()) {
            part.chapters.push(Chapter { name: name.to_owned(), title: title.to_owned() });
        }
    }
    if let Some(first) = parts.first_mut() {
        first.chapters.insert(0, contents);
    }
    parts
}

/// Returns the pages of the book, by their paths in the folder of the site.
///
/// # Errors
/// Returns an error if a template fails.
pub(super) fn pages() -> Result<Vec<(String, String)>, SiteError> {
    let summary = DOCS.get_file(format!("{SUMMARY}.md")).and_then(File::contents_utf8).unwrap_or_default();
    let parts = parts(summary);
    let chapters: Vec<&Chapter> = parts.iter().flat_map(|part| &part.chapters).collect();
    let texts = DOCS.files().filter(|file| file.path().extension().is_some_and(|ending| ending == "md"));
    let mut pages = Vec::new();
    for file in texts {
        let (Some(stem), Some(text)) = (file.path().file_stem(), file.contents_utf8()) else { continue };
        let name = stem.to_string_lossy();
        let rendered = Rendered::new(text);
        let is_contents = name == SUMMARY;
        let (title, name) =
            if is_contents { ("The book".to_owned(), "index") } else { (rendered.title, &*name) };
        let place = chapters.iter().position(|chapter| chapter.name == name);
        let beside = |step: isize| chapters.get(place?.checked_add_signed(step)?).copied();
        let turn = Turn { previous: beside(-1), next: beside(1) }.render().map_err(PageError::from)?;
        let aside = Aside { parts: &parts, name }.render().map_err(PageError::from)?;
        let path = format!("book/{name}.html");
        let content = rendered.html + &turn;
        let shell =
            Shell { title: &title, path: &path, content: &content, aside: &aside, script: Script::Tables };
        let page = shell.page()?;
        pages.push((path, page));
    }
    Ok(pages)
}

/// Returns the drawings and pictures of the pages, by their paths in the folder of the site.
pub(super) fn drawings() -> impl Iterator<Item = (String, Vec<u8>)> {
    let files = DOCS.dirs().flat_map(Dir::files);
    files.map(|file| {
        let path = file.path().display().to_string();
        let plot = file.contents_utf8().filter(|_| PLOTS.contains(&path.as_str()));
        let bytes = plot.map_or_else(|| file.contents().to_vec(), |svg| with_dark_mode(svg).into_bytes());
        (format!("book/{path}"), bytes)
    })
}

/// Returns a plot that follows the dark mode.
fn with_dark_mode(svg: &str) -> String {
    svg.replacen("</title>", &format!("</title>\n<style>\n{}</style>", page::PLOT_STYLE), 1)
}

/// Page as HTML, without its first heading, which is its title.
struct Rendered {
    title: String,
    html: String,
}

impl Rendered {
    fn new(text: &str) -> Self {
        let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
        let mut title = String::new();
        let mut events = Vec::new();
        let mut heading: Option<(HeadingLevel, Vec<Event<'_>>)> = None;
        // `true` inside a link that is left out because it leads out of the book.
        let mut left_out = false;
        let mut is_comment = false;
        for event in Parser::new_ext(text, options) {
            match event {
                Event::Start(Tag::Heading { level, .. }) => heading = Some((level, Vec::new())),
                Event::End(TagEnd::Heading(_)) => {
                    let Some((level, inside)) = heading.take() else { continue };
                    let words = plain(&inside);
                    if title.is_empty() && level == HeadingLevel::H1 {
                        title = words;
                        continue;
                    }
                    // A page has one heading of the first level: its title.
                    let level = level.max(HeadingLevel::H2);
                    let mut written = String::new();
                    html::push_html(&mut written, inside.into_iter());
                    let id = page::escape(&anchor(&words));
                    events.push(Event::Html(format!("<{level} id=\"{id}\">{written}</{level}>\n").into()));
                }
                // HTML in the pages is shown as text; comments are not shown.
                Event::Html(text) | Event::InlineHtml(text) => {
                    events.push(Event::Text(without_comments(&text, &mut is_comment).into()));
                }
                Event::Start(Tag::Link { link_type, dest_url, title, id }) => match target(&dest_url) {
                    Some(dest_url) => {
                        let link =
                            Event::Start(Tag::Link { link_type, dest_url: dest_url.into(), title, id });
                        heading.as_mut().map_or(&mut events, |(_, inside)| inside).push(link);
                    }
                    None => left_out = true,
                },
                Event::End(TagEnd::Link) if std::mem::take(&mut left_out) => {}
                event => heading.as_mut().map_or(&mut events, |(_, inside)| inside).push(event),
            }
        }
        let mut written = String::new();
        html::push_html(&mut written, events.into_iter());
        let written = written
            .replace(
                "<table>",
                "<div class=\"table\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table>",
            )
            .replace("<pre>", "<pre tabindex=\"0\">")
            .replace("</table>", "</table></div>");
        Self { title, html: written }
    }
}

/// Returns a part of a page's HTML without comments. `is_comment` is `true` between parts if a comment goes
/// over several parts.
fn without_comments(text: &str, is_comment: &mut bool) -> String {
    let mut kept = String::new();
    let mut rest = text;
    loop {
        let sign = if *is_comment { "-->" } else { "<!--" };
        let (part, behind) =
            rest.split_once(sign).map_or((rest, None), |(part, behind)| (part, Some(behind)));
        if !*is_comment {
            kept.push_str(part);
        }
        let Some(behind) = behind else { return kept };
        *is_comment = !*is_comment;
        rest = behind;
    }
}

/// Returns the text of some events, without markup.
fn plain(events: &[Event<'_>]) -> String {
    let mut words = String::new();
    for event in events {
        if let Event::Text(text) | Event::Code(text) = event {
            words.push_str(text);
        }
    }
    words
}

/// Returns the anchor of a heading in links, in the format of code hosts.
fn anchor(words: &str) -> String {
    let mut name = String::new();
    for sign in words.chars() {
        match sign {
            ' ' => name.push('-'),
            sign if sign.is_alphanumeric() || sign == '-' || sign == '_' => {
                let _ = write!(name, "{}", sign.to_lowercase());
            }
            _ => {}
        }
    }
    name
}

/// Returns the target of a link in the site; `None` if it leads out of `docs/`, because the site has no such
/// page.
fn target(link: &CowStr<'_>) -> Option<String> {
    let (path, place) = link.split_once('#').map_or((&**link, ""), |(path, place)| (path, place));
    let place = if place.is_empty() { String::new() } else { format!("#{place}") };
    if path.contains("://") {
        return Some(link.to_string());
    }
    if path.starts_with("..") {
        return None;
    }
    if path == format!("{SUMMARY}.md") {
        return Some(format!("index.html{place}"));
    }
    match path.strip_suffix(".md") {
        Some(stem) => Some(format!("{stem}.html{place}")),
        None if path.is_empty()
            || DOCS.get_file(path).is_some_and(|file| file.path().components().count() > 1) =>
        {
            Some(link.to_string())
        }
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn html_of_a_page_is_shown_as_text() {
        let rendered =
            Rendered::new("# A <b>title</b>\n\n<script>alert(1)</script>\n\nand <img src=x onerror=y>\n");
        assert!(!rendered.html.contains("<script") && !rendered.html.contains("<img"), "{}", rendered.html);
        assert_eq!(rendered.title, "A title");
    }

    #[test]
    fn comments_are_not_shown() {
        let html = Rendered::new("# A\n\n<!-- one\ntwo -->\n\nb <!-- c --> d\n").html;
        assert!(
            html.contains("b  d") && !["one", "two", " c ", "--"].iter().any(|part| html.contains(part)),
            "{html}"
        );
    }

    #[test]
    fn links_lead_to_pages_of_the_site_or_are_text() {
        let rendered =
            Rendered::new("[a](trust.md#the-rest) [b](../README.md) [c](SUMMARY.md)\n\n## The rest, `x`\n");
        for part in [
            "<a href=\"trust.html#the-rest\">a</a>",
            " b ",
            "<a href=\"index.html\">c</a>",
            "<h2 id=\"the-rest-x\">",
        ] {
            assert!(rendered.html.contains(part), "{part}: {}", rendered.html);
        }
    }

    #[test]
    fn chapters_are_those_of_the_summary() {
        let parts = parts("# A\n\n- [One](one.md)\n\n# B\n\n- [Two, *x*](two.md)\n");
        let names: Vec<_> =
            parts.iter().flat_map(|part| &part.chapters).map(|chapter| &*chapter.name).collect();
        assert_eq!(names, ["index", "one", "two"]);
        let pages = pages().expect("pages");
        let listed = super::parts(include_str!("../../../../docs/SUMMARY.md"));
        let chapters: usize = listed.iter().map(|part| part.chapters.len()).sum();
        assert_eq!(chapters, pages.len());
        let (_, tutorial) = pages.iter().find(|(path, _)| path == "book/tutorial.html").expect("a page");
        for part in [
            "rel=\"prev\" href=\"index.html\"",
            "rel=\"next\" href=\"install.html\"",
            "aria-current=\"page\">Prove",
        ] {
            assert!(tutorial.contains(part), "{part}");
        }
    }

    #[test]
    fn plots_follow_the_dark_mode() {
        let (_, plot) = drawings().find(|(path, _)| path == "book/drawings/time.svg").expect("a plot");
        assert!(String::from_utf8_lossy(&plot).contains("prefers-color-scheme: dark"));
    }

    #[test]
    fn every_link_inside_the_book_leads_somewhere() {
        let pages = pages().expect("pages");
        let names: BTreeSet<&str> = pages.iter().filter_map(|(path, _)| path.strip_prefix("book/")).collect();
        assert!(names.contains("index.html") && names.contains("errata.html"), "{names:?}");
        for (path, text) in &pages {
            let main = text.split("<main").nth(1).expect("content");
            for link in main.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
                let file = link.split('#').next().unwrap_or_default();
                if file.ends_with(".html") && !file.contains('/') {
                    assert!(names.contains(file), "{path} leads to {link}");
                }
            }
        }
    }
}

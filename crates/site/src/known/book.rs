//! The book: the pages of `docs/`, rendered.

use std::fmt::Write as _;

use include_dir::{Dir, include_dir};
use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

use super::SiteError;
use super::shell::Shell;
use crate::page;

static DOCS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../docs");

const SUMMARY: &str = "SUMMARY";

/// The pages of the book, by their paths in the folder of the site.
pub(super) fn pages() -> Result<Vec<(String, String)>, SiteError> {
    let texts = DOCS.files().filter(|file| file.path().extension().is_some_and(|ending| ending == "md"));
    let mut pages = Vec::new();
    for file in texts {
        let (Some(stem), Some(text)) = (file.path().file_stem(), file.contents_utf8()) else { continue };
        let name = stem.to_string_lossy();
        let rendered = Rendered::of(text);
        let is_contents = name == SUMMARY;
        let (title, name) =
            if is_contents { ("The book".to_owned(), "index") } else { (rendered.title, &*name) };
        let shell = Shell { title: &title, root: "../", content: &rendered.html, boards: false };
        pages.push((format!("book/{name}.html"), shell.page()?));
    }
    Ok(pages)
}

/// The drawings and pictures that the pages show.
pub(super) fn drawings() -> impl Iterator<Item = (String, Vec<u8>)> {
    let files = DOCS.dirs().flat_map(Dir::files);
    files.map(|file| (format!("book/{}", file.path().display()), file.contents().to_vec()))
}

/// A page as HTML, without its first heading, which is its title.
struct Rendered {
    title: String,
    html: String,
}

impl Rendered {
    fn of(text: &str) -> Self {
        let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
        let mut title = String::new();
        let mut events = Vec::new();
        let mut heading: Option<(HeadingLevel, Vec<Event<'_>>)> = None;
        // Whether the link that is open is left out, for it leads out of the book.
        let mut left_out = false;
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
                    let mut written = String::new();
                    html::push_html(&mut written, inside.into_iter());
                    let id = page::escape(&anchor(&words));
                    events.push(Event::Html(format!("<{level} id=\"{id}\">{written}</{level}>\n").into()));
                }
                // What the pages hold as HTML is shown as text.
                Event::Html(text) | Event::InlineHtml(text) => events.push(Event::Text(text)),
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
            .replace("<table>", "<div class=\"table\" data-filtered><table>")
            .replace("</table>", "</table></div>");
        Self { title, html: written }
    }
}

fn plain(events: &[Event<'_>]) -> String {
    let mut words = String::new();
    for event in events {
        if let Event::Text(text) | Event::Code(text) = event {
            words.push_str(text);
        }
    }
    words
}

/// The name of a heading in links, as code hosts make it.
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

/// Where a link of a page leads in the site; `None` out of `docs/` into the clone, which the site has not.
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
            Rendered::of("# A <b>title</b>\n\n<script>alert(1)</script>\n\nand <img src=x onerror=y>\n");
        assert!(!rendered.html.contains("<script") && !rendered.html.contains("<img"), "{}", rendered.html);
        assert_eq!(rendered.title, "A title");
    }

    #[test]
    fn links_lead_to_pages_of_the_site_or_are_text() {
        let rendered =
            Rendered::of("[a](trust.md#the-rest) [b](../README.md) [c](SUMMARY.md)\n\n## The rest, `x`\n");
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

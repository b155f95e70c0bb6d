//! Exclusions of an experiment: runs that are left out.

use std::collections::HashSet;

use toml::Spanned;

use super::combination::{Combination, is_name_of};
use super::settings;
use crate::definition::{Definition, DefinitionError, Exclusion, Texts};

/// Exclusions of an experiment, with their parts that have matched a run.
pub(super) struct Exclusions<'a> {
    definition: &'a Definition,
    filters: Vec<Filter<'a>>,
}

struct Filter<'a> {
    exclusion: &'a Spanned<Exclusion>,
    /// Seeds that are excluded; all seeds if absent.
    seeds: Option<Vec<u32>>,
    /// Positions of the strings that have matched.
    matched_places: HashSet<usize>,
    matched_seeds: HashSet<u32>,
}

impl<'a> Exclusions<'a> {
    pub(super) fn new(definition: &'a Definition) -> Result<Self, DefinitionError> {
        let filter = |exclusion: &'a Spanned<Exclusion>| {
            let seeds = exclusion.get_ref().seeds.as_ref();
            let seeds = seeds.map(|seeds| settings::seeds(definition, seeds)).transpose()?;
            let (matched_places, matched_seeds) = Default::default();
            Ok(Filter { exclusion, seeds, matched_places, matched_seeds })
        };
        let filters =
            definition.contents.exclude.iter().map(filter).collect::<Result<_, DefinitionError>>()?;
        Ok(Self { definition, filters })
    }

    /// Returns the seeds of a combination that no exclusion removes, each with its index.
    pub(super) fn kept_seeds(&mut self, combination: &Combination<'_>, seeds: &[u32]) -> Vec<(usize, u32)> {
        let mut kept: Vec<_> = seeds.iter().copied().enumerate().collect();
        for filter in &mut self.filters {
            let removed = filter.removed_seeds(combination, seeds);
            kept.retain(|(_, seed)| !removed.contains(seed));
        }
        kept
    }

    /// Rejects an exclusion with a part that matches no run, since that is probably a mistake.
    pub(super) fn ensure_all_match(&self) -> Result<(), DefinitionError> {
        self.filters.iter().try_for_each(|filter| filter.ensure_matched(self.definition))
    }
}

impl Filter<'_> {
    /// Returns those seeds of a combination that this exclusion removes, and records the match.
    fn removed_seeds(&mut self, combination: &Combination<'_>, seeds: &[u32]) -> HashSet<u32> {
        let Some(places) = matching_places(self.exclusion.get_ref(), combination) else {
            return HashSet::new();
        };
        let is_excluded = |seed: &u32| self.seeds.as_ref().is_none_or(|seeds| seeds.contains(seed));
        let removed: HashSet<u32> = seeds.iter().copied().filter(is_excluded).collect();
        if !removed.is_empty() {
            self.matched_places.extend(places);
            self.matched_seeds.extend(&removed);
        }
        removed
    }

    fn ensure_matched(&self, definition: &Definition) -> Result<(), DefinitionError> {
        let exclusion = self.exclusion.get_ref();
        let lists = [&exclusion.boards, &exclusion.formulations, &exclusion.variants, &exclusion.backends];
        let texts = || lists.into_iter().flatten().flatten();
        if self.matched_seeds.is_empty() {
            let place = texts().next().map_or(self.exclusion.span(), Spanned::span);
            return Err(definition.fault(place, "this exclusion matches no run"));
        }
        let is_unmatched = |text: &&Spanned<String>| !self.matched_places.contains(&text.span().start);
        if let Some(text) = texts().find(is_unmatched) {
            let words = format!("\"{}\" matches no run that this exclusion could leave out", text.get_ref());
            return Err(definition.fault_of(text, words));
        }
        let unmatched = self.seeds.iter().flatten().find(|seed| !self.matched_seeds.contains(seed));
        match (&exclusion.seeds, unmatched) {
            (Some(list), Some(seed)) => {
                let words = format!("seed {seed} matches no run that this exclusion could leave out");
                Err(definition.fault_of(list, words))
            }
            _ => Ok(()),
        }
    }
}

/// Returns the positions of the parts of an exclusion that match a combination, or `None` if one of its lists
/// has no such part.
fn matching_places(exclusion: &Exclusion, combination: &Combination<'_>) -> Option<Vec<usize>> {
    let Combination { board, formulation, variant, backend, .. } = combination;
    let board = board.get_ref().to_string();
    let places = [
        places_in(&exclusion.boards, |text| is_name_of(text, &board))?,
        places_in(&exclusion.formulations, |text| text == formulation.get_ref())?,
        places_in(&exclusion.variants, |text| text == variant.get_ref())?,
        places_in(&exclusion.backends, |text| text == backend.get_ref())?,
    ];
    Some(places.concat())
}

/// Returns the positions of the matching texts, or `None` if a list is present and has none.
fn places_in(list: &Option<Texts>, is_match: impl Fn(&str) -> bool) -> Option<Vec<usize>> {
    let Some(list) = list else { return Some(Vec::new()) };
    let matching = list.iter().filter(|text| is_match(text.get_ref()));
    Some(matching.map(|text| text.span().start).collect()).filter(|places: &Vec<_>| !places.is_empty())
}

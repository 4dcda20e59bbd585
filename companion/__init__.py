"""The table companion's own knowledge: cards, rules, tracker, referee, sitting and words.  No pixels, no pins."""

-- The texts that searches read, in one place for stored listings and for those that a person is writing.
CREATE FUNCTION private.listing_search_text(l listings) RETURNS text LANGUAGE sql STABLE AS $$
  -- Like the generated column `search_text`, which a trigger before the change cannot read yet.
  SELECT lower(concat(l.title, E'\n', l.description, E'\n', l.location, E'\n', l.category, E'\n',
    CASE l.category WHEN 'game-day' THEN 'Game Day' WHEN 'merchandise' THEN 'Merch' WHEN 'study-items' THEN 'Study Items' END))
$$;
CREATE FUNCTION private.listing_folded_text(l listings) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT nullif(private.fold(concat_ws(E'\n', texts.search_text, nullif(concat_ws(E'\n', l.isbn, l.authors, l.edition, l.course,
    l.event_name, l.section, l.seat_row, l.seats, l.ticket_transfer), ''))), texts.search_text)
  FROM (SELECT private.listing_search_text(l) AS search_text) AS texts
$$;

CREATE OR REPLACE FUNCTION private.fold_listing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.folded_text := private.listing_folded_text(NEW);
  RETURN NEW;
END $$;

-- The indexes of 0166 replaced these, which no version reads any more.
DROP INDEX IF EXISTS listings_of_size_small_by_kind, listings_of_size_medium_by_kind, listings_of_size_large_by_kind,
  listings_of_size_xl_by_kind;

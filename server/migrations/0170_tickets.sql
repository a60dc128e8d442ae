-- What a Game Day listing says about tickets. `face_value` is that of what the price is for: of one ticket if they are sold
-- singly, otherwise of all of them.
ALTER TABLE listings
  ADD COLUMN event_name text,
  ADD COLUMN section text,
  ADD COLUMN seat_row text,
  ADD COLUMN seats text,
  ADD COLUMN ticket_count smallint,
  ADD COLUMN ticket_sale text,
  ADD COLUMN face_value numeric(8, 2),
  ADD COLUMN ticket_transfer text;

CREATE OR REPLACE FUNCTION private.fold_listing() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  -- Like the generated column `search_text`, which a trigger before the change cannot read yet.
  search_text text := lower(concat(NEW.title, E'\n', NEW.description, E'\n', NEW.location, E'\n', NEW.category, E'\n',
    CASE NEW.category WHEN 'game-day' THEN 'Game Day' WHEN 'merchandise' THEN 'Merch' WHEN 'study-items' THEN 'Study Items' END));
  fields text := nullif(concat_ws(E'\n', NEW.isbn, NEW.authors, NEW.edition, NEW.course, NEW.event_name, NEW.section,
    NEW.seat_row, NEW.seats, NEW.ticket_transfer), '');
BEGIN
  NEW.folded_text := nullif(private.fold(concat_ws(E'\n', search_text, fields)), search_text);
  RETURN NEW;
END $$;

CREATE TRIGGER fold_listing_tickets BEFORE UPDATE OF event_name, section, seat_row, seats, ticket_transfer ON listings
  FOR EACH ROW EXECUTE FUNCTION private.fold_listing();
ALTER TABLE listings ENABLE ALWAYS TRIGGER fold_listing_tickets;

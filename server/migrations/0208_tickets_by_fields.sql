-- The filter Tickets finds what counts as tickets elsewhere (`isTicketListing` in contract/tickets.ts), and otherwise what its
-- words name, as before. The previous version still uses the index of 0026. For large tables, run this file by hand
-- beforehand, with CREATE INDEX CONCURRENTLY.
CREATE OR REPLACE FUNCTION private.offers_tickets(
  category text, title text, description text, section text, seat_row text, seats text,
  ticket_count smallint, ticket_sale text, face_value numeric
) RETURNS boolean LANGUAGE plpgsql IMMUTABLE COST 100000 AS $$
DECLARE
  -- A parking ticket is no ticket to a game.
  named boolean := title ~* '(?<!\m(parking|tailgate) )\m(tickets?|tix)\M';
BEGIN
  IF category = 'game-day' AND (named OR num_nonnulls(ticket_count, ticket_sale, face_value) > 0
    -- Parking spaces and tailgates have a section, a row or a number, too.
    OR (num_nonnulls(section, seat_row, seats) > 0
      AND (title ~* '\mseats?\M' OR title !~* '\m(parking|tailgates?|tailgating)\M')))
  THEN RETURN true;
  END IF;
  RETURN private.has_kind(title, description, 'tickets') AND (named OR title !~* '\mtickets?\M');
END $$;

CREATE INDEX IF NOT EXISTS listings_of_kind_tickets_by_fields ON listings (created_at DESC, id DESC, category)
  INCLUDE (status) WHERE private.offers_tickets(
    category, title, description, section, seat_row, seats, ticket_count, ticket_sale, face_value);

-- Filters by kind (specification §2, Filter bar), with indexes like those by size in 0021.

-- If the title names a kind, the description is ignored: the description of a grill may well mention tickets.
CREATE OR REPLACE FUNCTION private.has_kind(title text, description text, kind text) RETURNS boolean
  LANGUAGE plpgsql IMMUTABLE STRICT COST 100000 AS $$
BEGIN
  RETURN CASE WHEN title ~* '\m(tickets?|tailgat(e|es|ing|er)|canop(y|ies)|tents?|coolers?|grills?|cornhole|(folding|camp|camping|stadium)( [a-z]+)? chairs?|parking (pass|passes|permits?|spots?))\M'
    THEN title ELSE description END ~* CASE kind
    WHEN 'tickets' THEN '\m(tickets?)\M'
    WHEN 'tailgate-gear' THEN '\m(tailgat(e|es|ing|er)|canop(y|ies)|tents?|coolers?|grills?|cornhole|(folding|camp|camping|stadium)( [a-z]+)? chairs?)\M'
    WHEN 'parking-passes' THEN '\m(parking (pass|passes|permits?|spots?))\M'
  END;
END $$;

CREATE INDEX IF NOT EXISTS listings_of_kind_tickets ON listings (created_at DESC, id DESC, category, status)
  WHERE private.has_kind(title, description, 'tickets');
CREATE INDEX IF NOT EXISTS listings_of_kind_tailgate_gear ON listings (created_at DESC, id DESC, category, status)
  WHERE private.has_kind(title, description, 'tailgate-gear');
CREATE INDEX IF NOT EXISTS listings_of_kind_parking_passes ON listings (created_at DESC, id DESC, category, status)
  WHERE private.has_kind(title, description, 'parking-passes');

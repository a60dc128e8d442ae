-- When the server first looked for listings that nobody tended for `check_days` days. Questions about listings that were
-- due by then are spread over a week. There is one row, or none while nobody is asked.
CREATE TABLE private.first_availability_check (
  is_only    boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  check_days int NOT NULL,
  started_at timestamptz NOT NULL
);

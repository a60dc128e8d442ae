-- The games and events of the campus, which an operator imports. Tickets are offered for them.
CREATE TABLE games (
  day date NOT NULL,
  name text NOT NULL,
  PRIMARY KEY (day, name)
);

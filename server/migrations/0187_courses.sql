-- The courses of the campus, which suggest how listings of textbooks name them, and the books that a course uses.
CREATE TABLE courses (
  -- As normalizeCourse (contract/category-field-schemas.ts) spells it: "MATH 125".
  code text PRIMARY KEY,
  title text NOT NULL,
  term text
);

CREATE TABLE course_books (
  course text NOT NULL REFERENCES courses ON DELETE CASCADE,
  isbn text NOT NULL,
  PRIMARY KEY (course, isbn)
);
CREATE INDEX course_books_of_isbn ON course_books (isbn);

/** A part of a page of text: a heading, then paragraphs, then points. */
export interface Section {
  title: string;
  paragraphs?: readonly string[];
  points?: readonly string[];
}

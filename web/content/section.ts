/** A section of a text page: a heading, then paragraphs, then bullet points. */
export interface TextSection {
  title: string;
  paragraphs?: readonly string[];
  points?: readonly string[];
}

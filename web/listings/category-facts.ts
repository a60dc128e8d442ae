import { parse as parseIsbnParts } from 'isbn3';
import type { CampusMoney } from '#contract/campus.ts';
import {
  type CategoryColumn,
  type CategoryField,
  formatCategoryValue,
  listCategoryFields,
} from '#contract/category-fields.ts';
import type { Listing } from '#contract/listings.ts';

/** What the page of a listing says about the fields of its category. */
export interface CategoryFacts {
  shown: { label: string; text: string }[];
  /** What the structured data says about them. */
  structured: Record<string, unknown>;
}

const formatFact = (field: CategoryField, listing: Listing, money: CampusMoney): string | null => {
  const text = formatCategoryValue(field, listing[field.column as CategoryColumn], money);
  return text !== null && field.input === 'isbn' ? (parseIsbnParts(text)?.isbn13h ?? text) : text;
};

const toProperty = (field: CategoryField, text: string): Record<string, unknown> => {
  const { property } = field.schemaOrg ?? {};
  return property === 'author'
    ? { author: { '@type': 'Person', name: text } }
    : property
      ? { [property]: text }
      : {};
};

/**
 * Describes the fields of a listing's category that its owner filled in. Only the server calls this, because the declarations
 * of all fields and the names of all publishers would make the page too large.
 */
export const describeCategoryFields = (listing: Listing, money: CampusMoney): CategoryFacts => {
  const facts = listCategoryFields(listing.category).flatMap(([, field]) => {
    const text = formatFact(field, listing, money);
    return text === null ? [] : [{ field, text }];
  });
  const types = facts.flatMap(({ field }) => field.schemaOrg?.type ?? []);
  const others = facts.filter(({ field }) => !field.schemaOrg);
  return {
    shown: facts.map(({ field, text }) => ({
      label: field.label,
      text: field.note ? `${text} · ${field.note}` : text,
    })),
    structured: {
      ...(types.length > 0 && { '@type': ['Product', ...new Set(types)] }),
      ...Object.assign({}, ...facts.map(({ field, text }) => toProperty(field, text))),
      ...(others.length > 0 && {
        additionalProperty: others.map(({ field, text }) => ({
          '@type': 'PropertyValue',
          name: field.label,
          value: text,
        })),
      }),
    },
  };
};

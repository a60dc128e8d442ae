import { expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { createPageMeta, toExcerpt } from './page-meta.ts';

const siteData = { campus: defaultCampus, publicUrl: 'https://quad.test', announcement: null };
const furniturePage = { title: 'Furniture', description: 'Desks.', path: '/category/furniture' };

test('an excerpt is cut at a word boundary and has no line breaks', () => {
  expect(toExcerpt('A desk.\n\nOf oak.')).toBe('A desk. Of oak.');
  expect(toExcerpt('one two three four', 12)).toBe('one two…');
  expect(toExcerpt('x'.repeat(40), 12)).toHaveLength(13);
});

test('a page has a title, a canonical link, and its own or the default picture', () => {
  const plain = createPageMeta(siteData, furniturePage);
  expect(plain).toContainEqual({ title: 'Furniture · Quad' });
  expect(plain).toContainEqual({
    tagName: 'link',
    rel: 'canonical',
    href: 'https://quad.test/category/furniture',
  });
  expect(plain).toContainEqual({ name: 'twitter:card', content: 'summary' });
  expect(plain).toContainEqual({ property: 'og:image', content: 'https://quad.test/icons/any-512.png' });
  const pictured = createPageMeta(siteData, {
    ...furniturePage,
    image: { path: '/desk.jpeg', alt: 'A desk' },
  });
  expect(pictured).toContainEqual({ property: 'og:image', content: 'https://quad.test/desk.jpeg' });
  expect(pictured).toContainEqual({ name: 'twitter:card', content: 'summary_large_image' });
});

test('an unlisted page has noindex and no canonical link', () => {
  const unlisted = createPageMeta(siteData, { ...furniturePage, unlisted: true });
  expect(unlisted).toContainEqual({ name: 'robots', content: 'noindex' });
  expect(JSON.stringify(unlisted)).not.toContain('canonical');
});

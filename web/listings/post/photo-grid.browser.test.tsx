import { useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { PhotoGrid } from './photo-grid.tsx';
import { type PhotoItem, photoReducer } from './photo-items.ts';

const createItem = (id: string): PhotoItem => ({
  id,
  preview: `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"/>#${id}`,
  url: `/storage/v1/object/public/listing-photos/${id}.jpg`,
  uploading: false,
  progress: 100,
  error: null,
  file: null,
  isSavedOnDevice: false,
});

/** What a photo with a code is refused with. */
const refusal = 'Hide the code: anyone could use it';

function Grid({ refused = [] }: { refused?: readonly string[] }) {
  const [items, setItems] = useState<readonly PhotoItem[]>(() =>
    ['red', 'green', 'blue'].map((id) => ({
      ...createItem(id),
      ...(refused.includes(id) && { error: refusal, codes: [{ x: 0, y: 0, width: 9, height: 9 }] }),
    })),
  );
  const ignore = () => {};
  return (
    <PhotoGrid
      photos={{
        items,
        add: ignore,
        retry: ignore,
        hideCodes: ({ id }) =>
          setItems((before) => before.map((item) => (item.id === id ? createItem(id) : item))),
        remove: ignore,
        makeCover: ignore,
        move: (id, to) => setItems((before) => photoReducer(before, { kind: 'moved', id, to })),
      }}
    />
  );
}

const listOrder = () =>
  page
    .getByRole('img', { name: /^Preview of photo/ })
    .elements()
    .map((image) => (image as HTMLImageElement).src.split('#')[1]);

test('photos are reordered by keyboard', async () => {
  await render(<Grid />);
  (page.getByRole('button', { name: 'Move photo 2' }).element() as HTMLElement).focus();
  await userEvent.keyboard(' ');
  await expect.element(page.getByText('photo 2 is over place 2 of 3.')).toBeInTheDocument();
  // The library measures the other photos after the pick-up, and ignores keys until then. Further key presses at
  // the end change nothing.
  await expect
    .poll(async () => {
      await userEvent.keyboard('{ArrowRight}');
      return page.getByText('photo 2 is over place 3 of 3.').elements().length;
    })
    .toBe(1);
  await userEvent.keyboard(' ');
  await expect.poll(listOrder).toEqual(['red', 'blue', 'green']);
});

test('photos are reordered by mouse', async () => {
  await render(<Grid />);
  const previews = page.getByRole('img', { name: /^Preview of photo/ });
  await userEvent.dragAndDrop(previews.nth(2), previews.nth(0), { steps: 8 });
  await expect.poll(listOrder).toEqual(['blue', 'red', 'green']);
});

test('on a phone each photo has a menu that moves it', async () => {
  await page.viewport(360, 740);
  await render(<Grid />);
  const openMenu = (place: number) =>
    page.getByRole('button', { name: `Options for photo ${place}` }).click();
  await openMenu(1);
  await expect.element(page.getByRole('menuitem', { name: 'Make cover' })).not.toBeInTheDocument();
  await expect.element(page.getByRole('menuitem', { name: 'Move left' })).not.toBeInTheDocument();
  await page.getByRole('menuitem', { name: 'Move right' }).click();
  await expect.poll(listOrder).toEqual(['green', 'red', 'blue']);
});

test('on a phone one tap below the photos blurs all codes, and the focus stays there', async () => {
  await page.viewport(360, 740);
  await render(<Grid refused={['red', 'blue']} />);
  const blur = page.getByRole('button', { name: 'Blur the code' });
  await expect.element(page.getByRole('status').filter({ hasText: refusal })).toBeVisible();
  const sentences = page.getByText(refusal).elements();
  expect(sentences.filter((element) => element.checkVisibility())).toHaveLength(1);
  (blur.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText(refusal)).not.toBeInTheDocument();
  expect(document.activeElement?.getAttribute('data-keeps-focus')).toBe('true');
});

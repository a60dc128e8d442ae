import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import type { ModerationCase } from '#contract/moderation.ts';
import { CaseActionDialog } from './action-dialog.tsx';
import { getActionTexts } from './action-texts.ts';

const item = {
  id: 'case',
  listing: null,
  actions: [],
  signal_details: [],
  has_appeal: false,
  dismissal_publishes: false,
} as unknown as ModerationCase;
const { templates } = getActionTexts(item, 'dismiss');
const [[first, firstText], [second, secondText]] = Object.entries(templates) as [
  [string, string],
  [string, string],
];

test('choosing a prepared text replaces an earlier prepared text, but never a typed reason', async () => {
  await render(
    <CaseActionDialog
      item={item}
      action="dismiss"
      refresh={async () => {}}
      onUndo={() => {}}
      onClose={() => {}}
    />,
  );
  const preparedText = page.getByRole('combobox', { name: 'Prepared text' });
  const reason = page.getByRole('textbox', { name: 'Reason' });
  await preparedText.selectOptions(first);
  await expect.element(reason).toHaveValue(firstText);
  await preparedText.selectOptions(second);
  await expect.element(reason).toHaveValue(secondText);
  await reason.fill('I talked to both.');
  await preparedText.selectOptions(first);
  await expect.element(reason).toHaveValue(`I talked to both.\n${firstText}`);
  await preparedText.selectOptions('None');
  await expect.element(reason).toHaveValue(`I talked to both.\n${firstText}`);
});

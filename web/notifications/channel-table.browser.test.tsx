import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { NotificationChannelTable, type NotificationChannelTableProps } from './channel-table.tsx';

test('a tap anywhere in the 44 px around a checkbox changes it', async () => {
  const onChange = vi.fn();
  await render(
    <NotificationChannelTable
      channels={{} as NotificationChannelTableProps['channels']}
      hasPushDevice
      onChange={onChange}
    />,
  );
  const area = page.getByRole('checkbox', { name: 'Reviews: Push' }).element().parentElement as HTMLElement;
  expect(area.getBoundingClientRect()).toMatchObject({ width: 44, height: 44 });
  await userEvent.click(area, { position: { x: 2, y: 42 } });
  expect(onChange.mock.calls).toEqual([['reviews.push', true]]);
});

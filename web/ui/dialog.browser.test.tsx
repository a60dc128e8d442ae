import { type ReactNode, useState } from 'react';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Button } from './button.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { Dialog, DialogClose } from './dialog.tsx';
import { FormDialog } from './form-dialog.tsx';
import { pageRootAttributes } from './inert-page.tsx';
import { Input } from './input.tsx';

/** A page with a button that opens the dialog, as on the real screens. */
function ScreenWithDialog({ children }: { children: (close: () => void) => ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <main {...pageRootAttributes}>
        <h1 tabIndex={-1}>Listing</h1>
        <Button onClick={() => setOpen(true)}>Open</Button>
      </main>
      {open && children(() => setOpen(false))}
    </>
  );
}

const openButton = page.getByRole('button', { name: 'Open' });
const dialog = page.getByRole('dialog');

test('a dialog has a name and a description, and moves the focus into its content', async () => {
  await render(
    <ScreenWithDialog>
      {(close) => (
        <Dialog open onOpenChange={close} title="Rename" description="Others see the new name.">
          <Input aria-label="Name" />
        </Dialog>
      )}
    </ScreenWithDialog>,
  );
  await openButton.click();
  await expect.element(dialog).toHaveAccessibleName('Rename');
  await expect.element(dialog).toHaveAccessibleDescription('Others see the new name.');
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveFocus();
});

test('a dialog without other controls takes the focus itself, so that Close is not highlighted', async () => {
  await render(
    <ScreenWithDialog>{(close) => <Dialog open onOpenChange={close} title="Offers" />}</ScreenWithDialog>,
  );
  await openButton.click();
  await expect.element(dialog).toHaveFocus();
  await userEvent.keyboard('{Tab}');
  await expect.element(page.getByRole('button', { name: 'Close' })).toHaveFocus();
});

test('a form dialog whose fields are still loading takes the focus itself, not one of its buttons', async () => {
  await render(
    <ScreenWithDialog>
      {(close) => (
        <FormDialog formId="meeting" title="Meet" submitLabel="Send" sending={false} onClose={close}>
          <p>Loading…</p>
        </FormDialog>
      )}
    </ScreenWithDialog>,
  );
  await openButton.click();
  await expect.element(dialog).toHaveFocus();
});

test('the page behind an open dialog is inert, and usable again when it closes', async () => {
  await render(
    <ScreenWithDialog>{(close) => <Dialog open onOpenChange={close} title="Rename" />}</ScreenWithDialog>,
  );
  await openButton.click();
  const main = document.querySelector('main');
  await expect.poll(() => main?.inert).toBe(true);
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  expect(main?.inert).toBe(false);
});

test('Escape, the close button and a click outside close a dialog, and the focus returns to its opener', async () => {
  await render(
    <ScreenWithDialog>{(close) => <Dialog open onOpenChange={close} title="Rename" />}</ScreenWithDialog>,
  );
  const closeActions = [
    () => userEvent.keyboard('{Escape}'),
    () => page.getByRole('button', { name: 'Close' }).click(),
    () => userEvent.click(document.elementFromPoint(5, 5) ?? document.body, { position: { x: 5, y: 5 } }),
  ];
  for (const close of closeActions) {
    await openButton.click();
    await expect.element(dialog).toBeVisible();
    await close();
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(openButton).toHaveFocus();
  }
});

test('on a phone a dialog is a sheet at the bottom, and its buttons stay visible with a long text', async () => {
  await page.viewport(360, 640);
  const long = Array.from({ length: 80 }, (_, index) => `line ${index + 1}`);
  await render(
    <Dialog open title="Terms" actions={<Button>Agree</Button>}>
      {long.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </Dialog>,
  );
  await expect.element(page.getByRole('button', { name: 'Agree' })).toBeInViewport({ ratio: 1 });
  // Polls until the slide-in animation of the sheet has ended.
  await expect
    .poll(() => {
      const { left, bottom, width } = dialog.element().getBoundingClientRect();
      return { left, bottom, width };
    })
    .toEqual({ left: 0, bottom: 640, width: 360 });
  await page.viewport(800, 600);
});

test('a dialog with a form stays open on a click outside', async () => {
  await render(
    <ScreenWithDialog>
      {(close) => <Dialog open onOpenChange={close} title="Rename" keepOpen />}
    </ScreenWithDialog>,
  );
  await openButton.click();
  await expect.element(dialog).toBeVisible();
  await userEvent.click(document.elementFromPoint(5, 5) ?? document.body, { position: { x: 5, y: 5 } });
  await expect.element(dialog).toBeVisible();
});

test('Tab stays inside a dialog', async () => {
  await render(
    <ScreenWithDialog>
      {(close) => (
        <Dialog
          open
          onOpenChange={close}
          title="Rename"
          actions={
            <DialogClose>
              <Button>Done</Button>
            </DialogClose>
          }
        />
      )}
    </ScreenWithDialog>,
  );
  await openButton.click();
  const done = page.getByRole('button', { name: 'Done' });
  await expect.element(done).toHaveFocus();
  await userEvent.tab();
  await expect.element(page.getByRole('button', { name: 'Close' })).toHaveFocus();
  await userEvent.tab();
  await expect.element(done).toHaveFocus();
});

test('closing a dialog focuses the heading if its opener no longer exists', async () => {
  function DeletingScreen() {
    const [open, setOpen] = useState(false);
    const [deleted, setDeleted] = useState(false);
    return (
      <>
        <h1 tabIndex={-1}>My listings</h1>
        {!deleted && <Button onClick={() => setOpen(true)}>Open</Button>}
        <ConfirmDialog
          open={open}
          onOpenChange={setOpen}
          title="Delete it?"
          description="For good."
          confirmLabel="Delete"
          onConfirm={() => setDeleted(true)}
        />
      </>
    );
  }
  await render(<DeletingScreen />);
  await openButton.click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(page.getByRole('heading', { name: 'My listings' })).toHaveFocus();
});

test('closing the last of a chain of dialogs always returns the focus to the opener of the first', async () => {
  function Chain({ onClose }: { onClose: () => void }) {
    const [step, setStep] = useState(1);
    return (
      <Dialog
        key={step}
        open
        onOpenChange={onClose}
        title={`Step ${step}`}
        actions={step < 3 && <Button onClick={() => setStep(step + 1)}>Next</Button>}
      />
    );
  }
  await render(<ScreenWithDialog>{(close) => <Chain onClose={close} />}</ScreenWithDialog>);
  const next = page.getByRole('button', { name: 'Next' });
  for (const _round of [1, 2]) {
    await openButton.click();
    await next.click();
    await expect.element(dialog).toHaveAccessibleName('Step 2');
    await next.click();
    await expect.element(dialog).toHaveAccessibleName('Step 3');
    await userEvent.keyboard('{Escape}');
    await expect.element(openButton).toHaveFocus();
  }
});

test('closing a dialog without an opener does not focus the opener of an earlier dialog', async () => {
  function ScreenWithTimer() {
    const [open, setOpen] = useState(false);
    return (
      <>
        <ScreenWithDialog>{(close) => <Dialog open onOpenChange={close} title="Rename" />}</ScreenWithDialog>
        <Dialog open={open} onOpenChange={setOpen} title="Time is up" />
        <button type="button" id="timer" hidden onClick={() => setOpen(true)} />
      </>
    );
  }
  await render(<ScreenWithTimer />);
  await openButton.click();
  await userEvent.keyboard('{Escape}');
  await expect.element(openButton).toHaveFocus();
  (openButton.element() as HTMLElement).blur();
  document.getElementById('timer')?.click();
  await expect.element(dialog).toHaveAccessibleName('Time is up');
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.poll(() => document.activeElement).toBe(document.body);
});

/** Creates a promise, with the functions that resolve and reject it. */
const createPendingAction = () => {
  let settle = { done: () => {}, fail: () => {} };
  const promise = new Promise<void>((resolve, reject) => {
    settle = { done: resolve, fail: () => reject(new Error('refused')) };
  });
  return { promise, ...settle };
};

test('a confirmation waits for its action, cannot be closed meanwhile, and then closes', async () => {
  const action = createPendingAction();
  const confirm = vi.fn(() => action.promise);
  await render(
    <ScreenWithDialog>
      {(close) => (
        <ConfirmDialog
          open
          onOpenChange={close}
          title="Log out?"
          description="Everywhere."
          confirmLabel="Log out"
          onConfirm={confirm}
        />
      )}
    </ScreenWithDialog>,
  );
  await openButton.click();
  const button = page.getByRole('button', { name: 'Log out' });
  await button.click();
  await expect.element(button).toHaveAttribute('aria-busy', 'true');
  button.element().dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).toBeVisible();
  action.done();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(confirm).toHaveBeenCalledOnce();
});

test('a confirmation whose action fails stays open for another attempt', async () => {
  const first = createPendingAction();
  const confirm = vi.fn(() => first.promise);
  await render(
    <ScreenWithDialog>
      {(close) => (
        <ConfirmDialog
          open
          onOpenChange={close}
          title="Log out?"
          description="Everywhere."
          confirmLabel="Log out"
          onConfirm={confirm}
        />
      )}
    </ScreenWithDialog>,
  );
  await openButton.click();
  const button = page.getByRole('button', { name: 'Log out' });
  await button.click();
  first.fail();
  await expect.element(button).not.toHaveAttribute('aria-busy');
  await expect.element(dialog).toBeVisible();
  confirm.mockResolvedValueOnce();
  await button.click();
  await expect.element(dialog).not.toBeInTheDocument();
});

test('the submit button of a form dialog submits the form inside it, unless it is already being sent', async () => {
  const sent = vi.fn();
  const form = (sending: boolean) => (
    <FormDialog formId="rename" title="Rename" submitLabel="Save" sending={sending} onClose={() => {}}>
      <form
        id="rename"
        onSubmit={(event) => {
          event.preventDefault();
          sent();
        }}
      >
        <Input aria-label="Name" />
      </form>
    </FormDialog>
  );
  const { rerender } = await render(form(false));
  const save = page.getByRole('button', { name: 'Save' });
  await save.click();
  await userEvent.type(page.getByRole('textbox', { name: 'Name' }), 'Ada{Enter}');
  await expect.poll(() => sent).toHaveBeenCalledTimes(2);
  await rerender(form(true));
  await expect.element(save).toHaveAttribute('aria-disabled', 'true');
  await userEvent.type(page.getByRole('textbox', { name: 'Name' }), '{Enter}');
  expect(sent).toHaveBeenCalledTimes(2);
});

import { useEffect, useState } from 'react';
import { hydrateRoot, type Root } from 'react-dom/client';
import { afterEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { forgetTypedText, keepTypedText, restoreTypedText } from './typed-text.ts';

let root: Root | undefined;
afterEach(() => root?.unmount());

test('text typed before a translated page was taken over is restored there, and on no later screen', async () => {
  const container = document.createElement('div');
  container.innerHTML =
    '<h1><font>Anmelden</font></h1><input type="password" name="password" aria-label="Log in">';
  document.body.append(container);
  let showNext = () => {};
  let failures = 0;
  function FailsOnce() {
    if (failures === 0) {
      failures += 1;
      throw new Error('This succeeds when React tries it again.');
    }
    return null;
  }
  function Screens() {
    const [isNext, setIsNext] = useState(false);
    showNext = () => setIsNext(true);
    useEffect(forgetTypedText, []);
    const label = isNext ? 'Confirm' : 'Log in';
    return (
      <>
        <h1>{label}</h1>
        <input key={label} type="password" name="password" aria-label={label} />
        {isNext && <FailsOnce />}
      </>
    );
  }
  const typed = page.getByLabelText('Log in');
  await typed.fill('cardinal-and-gold-1');
  const replaced = typed.element();
  let recovered = 0;
  keepTypedText();
  root = hydrateRoot(container, <Screens />, {
    onRecoverableError: () => {
      recovered += 1;
      restoreTypedText();
    },
  });
  await expect.poll(() => replaced.isConnected).toBe(false);
  await expect.element(typed).toHaveValue('cardinal-and-gold-1');
  await expect.element(typed).toHaveFocus();

  showNext();
  await expect.poll(() => recovered).toBe(2);
  await expect.element(page.getByLabelText('Confirm')).toHaveValue('');
  container.remove();
});

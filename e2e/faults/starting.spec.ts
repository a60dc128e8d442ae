import { expect } from '@playwright/test';
import { measureModuleLoadMs, startQuad } from '../support/quad-server.ts';
import { test } from '../support/test.ts';

test('the first start creates the demo campus and prints how to sign in; later starts are quick and print the same', async () => {
  const quad = await startQuad({ QUAD_DEMO: 'on', QUAD_SMTP_URL: '' });
  try {
    expect(quad.output()).toContain(quad.url);
    expect(quad.output()).toMatch(/Demo accounts, all with the password \S+/);
    expect(quad.output()).toContain(`${quad.url}/dev/mail`);
    const listings = await (await fetch(`${quad.url}/rest/v1/listings?limit=100`)).json();
    expect(listings.total).toBeGreaterThanOrEqual(60);
    const mailbox = await fetch(`${quad.url}/dev/mail`);
    expect(mailbox.status).toBe(200);

    await quad.kill();
    const loading = await measureModuleLoadMs();
    const begun = performance.now();
    await quad.start();
    // The limit is 3 s, or more on a busy machine where even loading the server's modules is slow.
    expect(performance.now() - begun).toBeLessThan(Math.max(3_000, 4 * loading));
    expect(quad.output().match(/Demo accounts/g)).toHaveLength(2);
    const again = await (await fetch(`${quad.url}/rest/v1/listings?limit=100`)).json();
    expect(again).toEqual(listings);
  } finally {
    await quad.stop();
  }
});

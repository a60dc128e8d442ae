import { expect, test } from 'vitest';
import type { DealTransitionName } from '#contract/deal-transitions.ts';
import { createDeal, createHandover } from '#contract/testing.ts';
import { arrangeTransitions } from './arrange-transitions.ts';

const now = new Date('2026-11-22T17:00:00.000Z');
const arrange = (transitions: DealTransitionName[], change: Parameters<typeof createDeal>[0] = {}) =>
  arrangeTransitions(createDeal({ transitions, ...change }), now);

test('puts Accept first, then the counter-offer, and the rest into the menu', () => {
  expect(arrange(['counter', 'accept', 'decline'])).toEqual({
    primary: 'accept',
    secondary: ['counter'],
    menu: ['decline'],
  });
});

test('makes a single Withdraw or Decline a secondary button', () => {
  expect(arrange(['withdraw'])).toEqual({ primary: undefined, secondary: ['withdraw'], menu: [] });
  expect(arrange(['decline'])).toEqual({ primary: undefined, secondary: ['decline'], menu: [] });
});

test('the prominent button suggests a handover, or confirms receipt after the agreed time', () => {
  const held = { state: 'held', turn: null } as const;
  const steps = ['propose_handover', 'received', 'cancel'] as const;
  expect(arrange([...steps], held)).toEqual({
    primary: 'propose_handover',
    secondary: ['received'],
    menu: ['cancel'],
  });
  const soon = createHandover({ time: '2026-11-22T19:00:00.000Z', agreed: true });
  expect(arrange([...steps], { ...held, handover: soon })).toEqual({
    primary: undefined,
    secondary: ['received'],
    menu: ['propose_handover', 'cancel'],
  });
  const over = createHandover({ time: '2026-11-22T16:00:00.000Z', agreed: true });
  expect(arrange([...steps], { ...held, handover: over }).primary).toBe('received');
});

test('puts the confirmation first as soon as the other party is at the meeting spot', () => {
  const buyerSteps = ['here', 'running_late', 'received', 'propose_handover', 'cancel'] as const;
  const sellerSteps = ['here', 'running_late', 'handed_over', 'propose_handover', 'cancel'] as const;
  const arrangeWith = (steps: readonly DealTransitionName[], here?: 'buyer' | 'seller') => {
    const arrivals = { buyer: null, seller: null, ...(here && { [here]: 'here' }) };
    const handover = createHandover({ time: '2026-11-22T17:30:00.000Z', agreed: true, arrivals });
    return arrange([...steps], { state: 'held', turn: null, handover }).primary;
  };
  expect(arrangeWith(buyerSteps)).toBe('here');
  expect(arrangeWith(buyerSteps, 'seller')).toBe('received');
  expect(arrangeWith(sellerSteps, 'buyer')).toBe('handed_over');
  expect(arrangeWith(sellerSteps, 'seller')).toBe('here');
});

test('shows the answers that extend a hold as buttons while they are possible', () => {
  const steps = ['propose_handover', 'agreed_in_chat', 'keep_hold', 'handed_over', 'cancel'] as const;
  expect(arrange([...steps], { state: 'held', turn: null })).toEqual({
    primary: 'agreed_in_chat',
    secondary: ['keep_hold'],
    menu: ['handed_over', 'propose_handover', 'cancel'],
  });
});

test('has no prominent button while the other party chooses a time', () => {
  const steps = ['propose_handover', 'handed_over', 'cancel'] as const;
  const proposal = {
    spot_id: null,
    place: 'Library',
    times: ['2026-11-23T17:00:00.000Z'],
    by: 'seller',
  } as const;
  const handover = createHandover({ proposal: { ...proposal, times: [...proposal.times] } });
  expect(arrange([...steps], { state: 'held', turn: null, handover })).toEqual({
    primary: undefined,
    secondary: ['propose_handover', 'handed_over'],
    menu: ['cancel'],
  });
});

test('omits the button for agreeing, because each suggested time has its own prominent button', () => {
  const steps = ['propose_handover', 'agree_handover', 'handed_over', 'cancel'] as const;
  const { primary, menu } = arrange([...steps], { state: 'held', turn: null, handover: createHandover() });
  expect(primary).toBeUndefined();
  expect(menu).not.toContain('agree_handover');
});

test('gives every answer to "Did you meet?" a button, three hours after the agreed time', () => {
  const steps = ['propose_handover', 'received', 'cancel', 'report_no_show'] as const;
  const held = { state: 'held', turn: null } as const;
  const handover = createHandover({ time: '2026-11-22T14:00:00.000Z', agreed: true });
  expect(arrange([...steps], { ...held, handover })).toEqual({
    primary: 'received',
    secondary: ['propose_handover', 'cancel'],
    menu: ['report_no_show'],
  });
});

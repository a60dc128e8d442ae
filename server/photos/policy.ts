import type { StoredObject } from './repository.ts';

declare const owned: unique symbol;
/** An object that the policy has confirmed as the caller's own; only this file creates one. */
export type OwnedObject = StoredObject & { readonly [owned]: true };

const isOwned = (object: StoredObject, userId: string): object is OwnedObject => object.owner_id === userId;

/** Returns the object as the caller's own; undefined if it is not theirs, as if it did not exist. */
export const asOwner = (object: StoredObject | undefined, userId: string): OwnedObject | undefined =>
  object && isOwned(object, userId) ? object : undefined;

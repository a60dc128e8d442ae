import type { ObjectName } from './object-names.ts';
import type { StoredObject } from './repository.ts';

declare const ownedBrand: unique symbol;
/** An object that belongs to the caller, as confirmed by the policy; only this file creates one. */
export type CallerOwnedObject = StoredObject & { readonly [ownedBrand]: true };

const isObjectOwnedBy = (object: StoredObject, userId: string): object is CallerOwnedObject =>
  object.owner_id === userId;

/** Returns the object if the caller owns it. Otherwise returns undefined, as if the object did not exist. */
export const asCallerOwnedObject = (
  object: StoredObject | undefined,
  userId: string,
): CallerOwnedObject | undefined => (object && isObjectOwnedBy(object, userId) ? object : undefined);

/** Returns the id of the person who uploaded a photo, with which its path begins. */
export const getOwnerId = ({ path }: ObjectName): string => path.slice(0, path.indexOf('/'));

/** A signed-in person who requests a photo. */
export interface PhotoViewer {
  userId: string;
  isModerator: boolean;
}

export const canViewHiddenPhoto = (object: ObjectName, viewer: PhotoViewer | undefined): boolean =>
  viewer !== undefined && (viewer.isModerator || viewer.userId === getOwnerId(object));

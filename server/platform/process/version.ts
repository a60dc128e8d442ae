import manifest from '../../../package.json' with { type: 'json' };

/** The version of the running code, from package.json. */
export const serverVersion: string = manifest.version;

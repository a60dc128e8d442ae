import fc from 'fast-check';

// Property tests use the same values in every run, so that a run never fails by chance. The environment variable
// PROPERTY_SEED (an integer) selects other values.
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20_261_127) });

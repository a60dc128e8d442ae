import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

const passwordEstimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

/**
 * Estimates how hard a password is to guess, from 1 (easy) to 4 (hard), for an attacker who knows
 * the words in `known` about its owner. This module contains a large list of leaked passwords, so
 * load it only where a password is chosen.
 */
export const estimatePasswordStrength = (password: string, known: string[]): 1 | 2 | 3 | 4 => {
  const words = known.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]);
  const { score } = passwordEstimator.check(
    password,
    words.filter((word) => word.length > 2),
  );
  return score === 0 ? 1 : score;
};

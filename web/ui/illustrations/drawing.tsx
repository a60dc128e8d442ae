import { clsx } from 'clsx';
import type { ReactNode } from 'react';

interface DrawingProps {
  width: number;
  height: number;
  /** Makes the drawing fill its frame and crop the overflow, aligned as given (SVG alignment). */
  slice?: 'xMidYMid' | 'xMidYMax' | undefined;
  className?: string | undefined;
  children: ReactNode;
}

/**
 * An inline drawing in theme colors. It is decorative: screen readers ignore it, because the text next to
 * it says the same.
 */
export function Drawing({ width, height, slice, className, children }: DrawingProps) {
  return (
    <svg
      aria-hidden="true"
      focusable="false"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio={slice ? `${slice} slice` : undefined}
      className={clsx('block', slice ? 'size-full' : 'h-auto w-full', className)}
    >
      {children}
    </svg>
  );
}

/** Returns the SVG path data of a row of `count` round arches whose bases are at y = `bottom`. */
export function createArchesPath(
  left: number,
  bottom: number,
  count: number,
  width: number,
  height: number,
  gap: number,
) {
  const radius = width / 2;
  return Array.from({ length: count }, (_, index) => {
    const x = left + index * (width + gap);
    return `M${x} ${bottom}v${radius - height}a${radius} ${radius} 0 0 1 ${width} 0v${height - radius}z`;
  }).join('');
}

/** A patch of mown lawn, the base of most small drawings. */
export function LawnPatch() {
  return (
    <>
      <ellipse cx="120" cy="150" rx="108" ry="22" className="fill-scene-lawn" />
      <path
        d="M52 167 92 129h22L84 171zM112 172l20-44h22l-10 44zM174 169l2-38 22 5 8 22z"
        className="fill-scene-lawn-stripe"
      />
    </>
  );
}

interface TreeProps {
  x: number;
  y: number;
  scale?: number | undefined;
}

/** A round campus tree; x, y is the base of its trunk. */
export function Tree({ x, y, scale = 1 }: TreeProps) {
  return (
    <g transform={`translate(${x} ${y}) scale(${scale})`}>
      <path d="M-4 0c2-14 2-22 1-34h6c-1 12-1 20 2 34z" className="fill-scene-trunk" />
      <path
        d="M0-84c16 0 25 10 25 22 8 3 12 10 12 17 0 12-10 19-22 19h-32c-11 0-20-8-20-18 0-8 5-14 12-17 0-13 9-23 25-23z"
        className="fill-scene-tree"
      />
      <path
        d="M2-80c12 1 19 9 19 19 6 2 10 7 10 13 0 6-5 10-11 10 2-6-1-11-7-13 1-12-4-22-11-29z"
        className="fill-scene-tree-light"
      />
    </g>
  );
}

/** A slim cypress; x, y is its base. */
export function Cypress({ x, y, scale = 1 }: TreeProps) {
  return (
    <g transform={`translate(${x} ${y}) scale(${scale})`}>
      <path d="M-2 0h4v-12h-4z" className="fill-scene-trunk" />
      <path
        d="M0-112c9 20 14 48 14 72 0 20-6 33-14 33s-14-13-14-33c0-24 5-52 14-72z"
        className="fill-scene-tree"
      />
      <path d="M1-104c7 20 10 44 10 64 0 16-4 27-10 31 4-30 4-62 0-95z" className="fill-scene-tree-light" />
    </g>
  );
}

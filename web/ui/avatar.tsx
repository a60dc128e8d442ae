import { clsx } from 'clsx';
import { UserRound } from 'lucide-react';
import { createAvatarBackground } from './avatar-background.ts';
import { toInitials } from './initials.ts';
import { useFailedSrc } from './use-failed-src.ts';

const sizeStyles = {
  xs: { box: 'size-6 text-[calc(var(--spacing)*2.5)]', pixels: 24 },
  sm: { box: 'size-9 text-[calc(var(--spacing)*3.25)]', pixels: 36 },
  md: { box: 'size-11 text-[calc(var(--spacing)*3.75)]', pixels: 44 },
  lg: { box: 'size-16 text-[calc(var(--spacing)*5.25)]', pixels: 64 },
  xl: { box: 'size-28 text-[calc(var(--spacing)*7.5)]', pixels: 112 },
};

export interface AvatarProps {
  /** The person's name, from which the initials and the color of a generated avatar are derived. */
  name: string;
  /**
   * URL of the person's own picture. If it is missing or cannot be loaded, an avatar is generated from the
   * name.
   */
  src?: string | null | undefined;
  size?: keyof typeof sizeStyles | undefined;
  /** Whether name and picture are still loading. Meanwhile, a symbol of a person is displayed. */
  pending?: boolean | undefined;
  /** Alternative text. Omit it where the name is next to the avatar, which is then decorative. */
  alt?: string | undefined;
  className?: string | undefined;
}

export function Avatar({ name, src, size = 'md', pending = false, alt = '', className }: AvatarProps) {
  const [failedSrc, setFailedSrc] = useFailedSrc();
  const { box, pixels } = sizeStyles[size];
  const frame = clsx('relative inline-block shrink-0 overflow-hidden rounded-full bg-sunken', box, className);
  if (src && src !== failedSrc) {
    return (
      <span className={frame}>
        <img
          src={src}
          alt={alt}
          width={pixels}
          height={pixels}
          loading="lazy"
          decoding="async"
          onError={() => setFailedSrc(src)}
          className="size-full object-cover"
        />
      </span>
    );
  }
  return (
    <span className={frame} {...(alt ? { role: 'img', 'aria-label': alt } : { 'aria-hidden': true })}>
      {pending ? (
        <UserRound aria-hidden="true" className="absolute inset-1/4 size-1/2 text-ink-muted" />
      ) : (
        <span
          style={{ background: createAvatarBackground(name), printColorAdjust: 'exact' }}
          className="absolute inset-0 grid select-none place-items-center rounded-full font-bold text-white leading-none tracking-normal"
        >
          {toInitials(name)}
        </span>
      )}
    </span>
  );
}

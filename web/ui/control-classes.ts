export const controlClasses =
  'w-full min-w-0 min-h-11 rounded-md border border-line-strong bg-raised px-3.5 py-2 text-base text-ink transition-colors duration-150 hover:border-ink-muted aria-invalid:border-danger aria-invalid:bg-danger-soft disabled:cursor-not-allowed disabled:bg-sunken disabled:text-ink-muted read-only:not-[select]:bg-sunken';

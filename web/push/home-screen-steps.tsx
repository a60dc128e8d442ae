import type { ReactNode } from 'react';

/** Two pictures that show how to add the site to the Home Screen of an iPhone or iPad. */
export function HomeScreenSteps({ siteName }: { siteName: string }) {
  return (
    <ol className="two-columns gap-3">
      <Step
        caption={
          <>
            1. Tap <strong>Share</strong>
          </>
        }
        picture="The bar at the bottom of Safari, with the Share button in the middle"
      >
        <path d="M12 92h136v28H12z" className="fill-sunken" />
        <path d="M12 91.5h136" className="stroke-line-strong" />
        <path d="m32 101-6 6 6 6M54 101l6 6-6 6" fill="none" strokeWidth="2" className="stroke-ink-muted" />
        <circle cx="80" cy="106" r="13" className="fill-brand-soft" />
        <path
          d="M80 112V99m-4 4 4-4 4 4m-6 0h-4v11h12v-11h-4"
          fill="none"
          strokeWidth="2"
          strokeLinecap="round"
          strokeLinejoin="round"
          className="stroke-brand-text"
        />
        <path d="M102 101h6v12h-12v-12zM126 101h8v12h-12v-12z" className="fill-line-strong" opacity="0.6" />
        <path d="M24 22h60v8H24zM24 38h112v44H24z" className="fill-sunken" />
      </Step>
      <Step
        caption={
          <>
            2. Choose <strong>Add to Home Screen</strong>, then open <span>{siteName}</span> there
          </>
        }
        picture="The list of the Share button, with Add to Home Screen highlighted"
      >
        <path d="M20 20h120v22H20z" className="fill-sunken" />
        <path d="M30 28h54v6H30z" className="fill-line-strong" opacity="0.6" />
        <path d="M20 46h120v28H20z" className="fill-brand-soft" />
        <path d="M30 57h66v6H30z" className="fill-brand-text" />
        <path
          d="M117 53h14v14h-14zm7 3v8m-4-4h8"
          fill="none"
          strokeWidth="2"
          strokeLinecap="round"
          className="stroke-brand-text"
        />
        <path d="M20 78h120v22H20z" className="fill-sunken" />
        <path d="M30 86h44v6H30z" className="fill-line-strong" opacity="0.6" />
      </Step>
    </ol>
  );
}

interface StepProps {
  caption: ReactNode;
  /** What the picture shows, for screen readers. */
  picture: string;
  children: ReactNode;
}

function Step({ caption, picture, children }: StepProps) {
  return (
    <li>
      <svg viewBox="0 0 160 120" role="img" aria-label={picture} className="max-h-24 w-full max-w-40">
        <rect x="10.5" y="4.5" width="139" height="130" rx="16" className="fill-raised stroke-line-strong" />
        {children}
      </svg>
      <p className="mt-1 text-sm">{caption}</p>
    </li>
  );
}

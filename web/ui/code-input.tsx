import { clsx } from 'clsx';
import { OTPInput } from 'input-otp';
import type { ClipboardEvent, Ref } from 'react';
import { normalizeCode, oneTimeCodeLength } from '#contract/accounts.ts';
import { useFieldControl } from './field.tsx';

/** Digits as typed, which are full-width with some keyboards. */
const typedDigitsPattern = '^[0-9\\uFF10-\\uFF19]+$';

const keepDigits = (text: string) => normalizeCode(text).replaceAll(/\D/g, '');

export interface CodeInputProps {
  value: string;
  onChange: (code: string) => void;
  /** Called when the sixth digit is entered. */
  onComplete?: ((code: string) => void) | undefined;
  autoFocus?: boolean | undefined;
  name?: string | undefined;
  ref?: Ref<HTMLInputElement> | undefined;
}

/**
 * The input for a six-digit code: six boxes drawn over a single input, which supports paste and
 * one-time-code autofill.
 */
export function CodeInput({ value, onChange, onComplete, autoFocus, name, ref }: CodeInputProps) {
  // Pasting a complete code replaces all digits; fewer pasted digits are inserted at the caret.
  function handlePaste(event: ClipboardEvent) {
    const digits = keepDigits(event.clipboardData.getData('text/plain'));
    if (digits.length !== oneTimeCodeLength) return;
    event.preventDefault();
    event.stopPropagation();
    onChange(digits);
  }

  return (
    <div onPasteCapture={handlePaste}>
      <OTPInput
        {...useFieldControl()}
        {...(ref ? { ref } : {})}
        maxLength={oneTimeCodeLength}
        value={value}
        onChange={(typed) => onChange(keepDigits(typed))}
        onComplete={(code: string) => onComplete?.(code)}
        pattern={typedDigitsPattern}
        pasteTransformer={(pasted) => keepDigits(pasted).slice(0, oneTimeCodeLength)}
        inputMode="numeric"
        autoComplete="one-time-code"
        // The code is the only field of its step, so focusing it automatically does not make anyone skip
        // other content.
        autoFocus={autoFocus}
        name={name}
        containerClassName="w-full max-w-md"
        render={({ slots }) => (
          <div aria-hidden="true" className="figures grid grid-cols-6 gap-2">
            {slots.map((slot, index) => (
              <div
                // biome-ignore lint/suspicious/noArrayIndexKey: boxes are identified by their position
                key={index}
                className={clsx(
                  'grid aspect-[5/6] max-h-16 w-full place-items-center rounded-md border-2 bg-raised font-bold text-2xl transition-colors',
                  slot.isActive ? 'border-brand-text outline-3 outline-focus' : 'border-line-strong',
                )}
              >
                {slot.char ??
                  (slot.hasFakeCaret ? <span className="h-7 w-0.5 animate-shimmer bg-ink" /> : null)}
              </div>
            ))}
          </div>
        )}
      />
    </div>
  );
}

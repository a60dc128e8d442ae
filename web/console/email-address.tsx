/**
 * An email address that wraps before the @ if it does not fit on one line. The parts before and after the @
 * wrap only if they are still too long.
 */
export function EmailAddress({ children }: { children: string }) {
  const at = children.lastIndexOf('@');
  return (
    <span className="wrap-anywhere">
      {children.slice(0, at)}
      <wbr />
      {children.slice(at)}
    </span>
  );
}

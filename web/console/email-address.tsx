/**
 * An email address that wraps before the @ if the line is too narrow, and within a part only if that is not
 * enough.
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

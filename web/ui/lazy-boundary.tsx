import { Component, isValidElement, type ReactNode, Suspense } from 'react';
import { Button } from './button.tsx';

interface LazyBoundaryProps {
  /** A component created with React's `lazy`. */
  children: ReactNode;
  /** Placeholder while the component is loading. */
  fallback?: ReactNode;
}

const isSameElement = (a: ReactNode, b: ReactNode): boolean => {
  if (!isValidElement<object>(a) || !isValidElement<object>(b)) return a === b;
  const entries = Object.entries(a.props);
  return (
    a.type === b.type &&
    a.key === b.key &&
    entries.length === Object.keys(b.props).length &&
    entries.every(([name, value]) => Object.is(value, Reflect.get(b.props, name)))
  );
};

/**
 * Wraps a part of a page that has its own script. If the script cannot be loaded, shows a message instead of the part.
 */
export class LazyBoundary extends Component<LazyBoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  // If a part that the server has rendered is rendered again before its script is loaded, React replaces it with the
  // fallback. The page is rendered again when the session is known.
  override shouldComponentUpdate(next: LazyBoundaryProps, { failed }: { failed: boolean }) {
    return failed !== this.state.failed || !isSameElement(next.children, this.props.children);
  }

  override render() {
    if (!this.state.failed) return <Suspense fallback={this.props.fallback}>{this.props.children}</Suspense>;
    return (
      <div className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-2">
        <p role="alert" className="text-danger">
          This part of the page could not be loaded.
        </p>
        {/* Reload the whole page, because browsers may not retry the import of a module that failed to
            load. */}
        <Button variant="secondary" size="sm" onClick={() => window.location.reload()}>
          Try again
        </Button>
      </div>
    );
  }
}

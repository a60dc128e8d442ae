import { Component, type ReactNode, Suspense } from 'react';
import { Button } from './button.tsx';

interface LatePartProps {
  /** Made with `lazy`. */
  children: ReactNode;
  /** Keeps its place while it is on its way. */
  fallback?: ReactNode;
}

/** A part of a page whose script may be missing without taking the page along: then it says so in its place. */
export class LazyPart extends Component<LatePartProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return <Suspense fallback={this.props.fallback}>{this.props.children}</Suspense>;
    return (
      <div className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-2">
        <p role="alert" className="text-danger">
          This part of the page could not be loaded.
        </p>
        {/* A full load: a browser may not ask again for a script that failed. */}
        <Button variant="secondary" size="sm" onClick={() => window.location.reload()}>
          Try again
        </Button>
      </div>
    );
  }
}

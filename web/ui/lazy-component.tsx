import {
  type ComponentType,
  memo,
  type ReactNode,
  Suspense,
  use,
  useEffect,
  useEffectEvent,
  useState,
} from 'react';
import { importLazyScript } from '#web/lib/lazy-script.ts';
import { Button } from './button.tsx';
import { toast } from './toast.ts';

interface LazyComponentOptions<Props> {
  /** Rendered while the script is loading. By default, nothing is. */
  placeholder?: ComponentType<Props>;
  /**
   * Rendered if the script cannot be loaded; `reason` is a sentence for the person. By default, a message with a button
   * that reloads the page.
   */
  failed?: ComponentType<Props & { reason: string }>;
}

/**
 * Creates a component whose script is loaded when it is first rendered. After a failure, it is loaded again when the
 * component is mounted again.
 */
export const lazyComponent = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  {
    placeholder: Placeholder,
    failed: Failed = LoadingFailedMessage,
  }: LazyComponentOptions<NoInfer<Props>> = {},
): ComponentType<Props> => {
  let loading: Promise<ComponentType<Props>> | undefined;
  const loadOnce = (): Promise<ComponentType<Props>> => {
    loading ??= importLazyScript(load).catch(({ message }: Error) => {
      loading = undefined;
      return (props: Props) => <Failed {...props} reason={message} />;
    });
    return loading;
  };

  // If a part that the server has rendered is rendered again before its script is loaded, React replaces it with the
  // placeholder. The page is rendered again when the session is known, and `memo` excludes this component.
  return memo(function LazyComponent(props: Props) {
    const [part] = useState(loadOnce);
    const [, setIsLoaded] = useState(false);
    return (
      <Suspense
        fallback={
          <LoadingPart part={part} onLoaded={setIsLoaded}>
            {Placeholder && <Placeholder {...props} />}
          </LoadingPart>
        }
      >
        <LoadedPart part={part} props={props} />
      </Suspense>
    );
  });
};

interface LoadingPartProps {
  part: Promise<unknown>;
  onLoaded: (isLoaded: true) => void;
  children: ReactNode;
}

/** Renders a placeholder. React would replace it only 300 ms after it appeared if `onLoaded` did not change a state. */
function LoadingPart({ part, onLoaded, children }: LoadingPartProps) {
  useEffect(() => {
    void part.then(() => onLoaded(true));
  }, [part, onLoaded]);
  return children;
}

interface LoadedPartProps<Props> {
  part: Promise<ComponentType<Props>>;
  props: Props;
}

function LoadedPart<Props extends object>({ part, props }: LoadedPartProps<Props>) {
  const Part = use(part);
  return <Part {...props} />;
}

function LoadingFailedMessage() {
  return (
    <div className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-2">
      <p role="alert" className="text-danger">
        This part of the page could not be loaded.
      </p>
      {/* Reload the whole page, because browsers may not retry the import of a module that failed to load. */}
      <Button variant="secondary" size="sm" onClick={() => window.location.reload()}>
        Try again
      </Button>
    </div>
  );
}

/**
 * Creates a dialog whose script is loaded when it is first opened. If loading fails, it shows a toast and calls
 * `onClose`; opening the dialog again retries.
 */
export const lazyDialog = <Props extends { onClose: () => void }>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> => lazyComponent(load, { failed: LoadingFailedToast });

function LoadingFailedToast({ reason, onClose }: { reason: string; onClose: () => void }) {
  const report = useEffectEvent(() => {
    toast.error(reason);
    onClose();
  });
  useEffect(() => report(), []);
  return null;
}

import { useSearchParams } from 'react-router';

const name = 'message';

/** The intent to message a seller, carried through the log-in screen as `?message=1`. */
export const useMessageRequest = (): { requested: boolean; clear: () => void } => {
  const [params, setParams] = useSearchParams();
  const clear = () =>
    setParams(
      (before) => {
        before.delete(name);
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  return { requested: params.get(name) === '1', clear };
};

import type { UnusedCode } from './remove-unused-code.ts';

/** The new body of library functions that the pages never call. */
const unreachableBody = 'throw Error("left out of the build")';
/**
 * The new body of library functions that the pages call, but that have no effect without features that we do
 * not use.
 */
const emptyFunctionBody = '';

/**
 * Library code that the build leaves out because no page uses it, keyed by the end of the library
 * file's path. biome.json forbids pages to import the functions and components that need this code.
 */
export const unusedLibraryCode: Record<string, UnusedCode> = {
  'react-dom/cjs/react-dom-client.production.js': {
    functions: {
      [emptyFunctionBody]: [
        // React's functions for <ViewTransition>
        'trackEnterViewTransitions',
        'commitEnterViewTransitions',
        'commitExitViewTransitions',
        'commitNestedViewTransitions',
        'restoreEnterOrExitViewTransitions',
        'restoreNestedViewTransitions',
        'measureNestedViewTransitions',
        // React's functions that wait for images in a <ViewTransition>, and for style sheets with a
        // `precedence` attribute
        'accumulateSuspenseyCommitOnFiber',
        'preloadInstanceAndSuspendIfNeeded',
        // React's functions for refs on fragments
        'commitNewChildToFragmentInstances',
        'commitFragmentInstanceInsertionEffects',
        'commitFragmentInstanceDeletionEffects',
        // React's function for forms whose `action` is a function, and for useFormStatus
        'extractEvents$1',
        // The default of a callback that React takes as an argument but never calls
        'defaultOnDefaultTransitionIndicator',
      ],
      'return null;': ['waitForCommitToBeReady'],
      // React's function for component stack traces, which the pages never log
      'return "";': ['getStackByFiberInDevAndProd'],
      [unreachableBody]: [
        // React's functions for <ViewTransition>
        'startViewTransition',
        'flushAfterMutationEffects',
        'restoreViewTransitionOnHostInstances',
        'scheduleViewTransitionEvent',
        'createViewTransitionInstance',
        'getViewTransitionName',
        // React's functions for refs on fragments
        'FragmentInstance',
        'commitNewChildToFragmentInstance',
        'deleteChildFromFragmentInstance',
        // React's functions for <SuspenseList> and <Activity>
        'updateSuspenseListComponent',
        'updateActivityComponent',
        // React's functions for useActionState and for forms whose `action` is a function
        'mountActionState',
        'updateActionState',
        'rerenderActionState',
        'dispatchActionState',
        'startHostTransition',
        'requestFormReset$1',
        // React's functions for scripts and style sheets that it loads itself, such as with preload() or a
        // `precedence` attribute
        'preconnectAs',
        'preload',
        'preloadModule',
        'preinitStyle',
        'preinitScript',
        'preinitModuleScript',
        'preloadStylesheet',
        'preloadResourceAndSuspendIfNeeded',
        'acquireResource',
        // React's functions for custom elements, whose names contain a hyphen
        'setPropOnCustomElement',
        'refreshCache',
      ],
    },
    assignments: [
      'FragmentInstance.prototype.addEventListener',
      'FragmentInstance.prototype.removeEventListener',
      'FragmentInstance.prototype.dispatchEvent',
      'FragmentInstance.prototype.focus',
      'FragmentInstance.prototype.focusLast',
      'FragmentInstance.prototype.blur',
      'FragmentInstance.prototype.observeUsing',
      'FragmentInstance.prototype.unobserveUsing',
      'FragmentInstance.prototype.getClientRects',
      'FragmentInstance.prototype.getRootNode',
      'FragmentInstance.prototype.compareDocumentPosition',
      'FragmentInstance.prototype.scrollIntoView',
      'ViewTransitionPseudoElement.prototype.animate',
      'ViewTransitionPseudoElement.prototype.getAnimations',
      'ViewTransitionPseudoElement.prototype.getComputedStyle',
    ],
  },
  // React Router's code that requests parts of the route list. Each page already contains the complete list
  // (react-router.config.ts).
  'react-router/dist/production/lib/dom/ssr/fog-of-war.js': {
    texts: { '!isFogOfWarEnabled(routeDiscovery, ssr)': ['true', 2] },
    functions: { 'return false;': ['isFogOfWarEnabled'] },
  },
  'react-router/dist/production/lib/router/router.js': {
    texts: {
      'if (init.instrumentations)': ['if (false)', 2],
      'init.patchRoutesOnNavigation': ['false', 4],
      'if (isFogOfWar)': ['if (false)', 3],
      'future.unstable_routePatternMatching': ['false', 2],
      'init.dataStrategy || defaultDataStrategyWithMiddleware': 'init.dataStrategy',
      // React Router sets `route.lazy` to a function only in SPA mode, which we do not use.
      'if (typeof route.lazy === "function")': 'if (false)',
      // React Router's code for fetchers, actions and view transitions, which we do not use
      '\tfetchLoadMatches.forEach((f, key) =>': '\tfalse && fetchLoadMatches.forEach((f, key) =>',
      '\trevalidatingFetchers.filter((f) =>': '\tfalse && revalidatingFetchers.filter((f) =>',
      'else if (pendingViewTransitionEnabled)': 'else if (false)',
      'if (pendingAction === "POP" && !isUninterruptedRevalidation && location !== state.location)':
        'if (false)',
      '!opts || !isSubmissionNavigation(opts)': 'true',
      'if (isActionReload)': 'if (false)',
    },
    functions: {
      [emptyFunctionBody]: [
        'restoreAppliedTransitions',
        'persistAppliedTransitions',
        'getSubmissionFromNavigation',
      ],
      'return false;': ['markFetchRedirectsDone', 'abortStaleFetchLoads'],
      [unreachableBody]: [
        'handleAction',
        'fetch',
        'handleFetcherAction',
        'handleFetcherLoader',
        'getUpdatedRevalidatingFetchers',
        'getFetcher',
        'resetFetcher',
        'queueFetcherForDeletion',
        'discoverRoutes',
        'patchRoutes',
        'patchRoutesImpl',
        '_internalSetRoutes',
      ],
    },
  },
  'react-router/dist/production/lib/dom/ssr/single-fetch.js': {
    functions: {
      [unreachableBody]: ['singleFetchActionStrategy', 'nonSsrStrategy', 'singleFetchLoaderFetcherStrategy'],
    },
  },
  'react-router/dist/production/lib/components.js': {
    texts: {
      '!viewTransitionOpts || !isViewTransitionAvailable': 'true',
      'if (vtContext.isTransitioning && !vtContext.flushSync)': 'if (false)',
      'if (renderDfd && pendingState && router.window)': 'if (false)',
      'if (renderDfd && pendingState && state.location.key': 'if (false && state.location.key',
      'if (!vtContext.isTransitioning && interruption)': 'if (false)',
    },
  },
  'react-router/dist/production/lib/dom-export/hydrated-router.js': {
    texts: {
      'window.__reactRouterManifest.sri === true': 'false',
      'if (ssrInfo.context.isSpaMode)': 'if (false)',
    },
  },
  'react-router/dist/production/lib/dom/ssr/components.js': {
    texts: {
      'if (rsc)': 'if (false)',
      'typeof criticalCss === "string"': 'false',
      'typeof criticalCss === "object"': 'false',
      'typeof manifest.sri === "object"': ['false', 2],
      '!isStatic ? " " :': 'true ? " " :',
      'staticContext ? `': 'false ? `',
    },
  },
  'react-router/dist/production/lib/dom/ssr/routes.js': {
    texts: {
      'if (!routeModule.clientLoader) return': 'return',
      'dataRoute.action = ({': 'let unusedAction = ({',
      'if (!route.hasClientAction) dataRoute.action =': 'let unusedAction =',
      'loader: route.hasClientLoader ?': 'loader: false ?',
      'action: route.hasClientAction ?': 'action: false ?',
      'middleware: route.hasClientMiddleware ?': 'middleware: false ?',
      'if (needsRevalidation)': 'if (false)',
      'if (!ssr && manifestRoute.hasLoader && !manifestRoute.hasClientLoader)': 'if (false)',
    },
    functions: { [unreachableBody]: ['createClientRoutesWithHMRRevalidationOptOut'] },
  },
  // Lucide's code for our own icons, for display names, and for parameters that its React component never passes
  'lucide-react/dist/esm/createLucideIcon.mjs': {
    texts: {
      'typeof iconDataOrName === "string" ?': 'false ?',
      'if (iconData.name) {': 'if (false) {',
    },
  },
  'lucide-react/dist/esm/shared/src/build/buildLucideIconNode.mjs': {
    texts: {
      'params.includeDefaultClasses === false ?': 'false ?',
      '"size" in params && isDefined(params.size)': 'false',
    },
  },
};

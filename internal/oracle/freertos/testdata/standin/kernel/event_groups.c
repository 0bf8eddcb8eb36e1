/* The stand-in has none. */

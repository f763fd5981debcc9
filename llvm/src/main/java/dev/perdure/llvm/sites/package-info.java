/** From debug locations to the site table of a module (SEMANTICS, section 3: what a site is). */
package dev.perdure.llvm.sites;

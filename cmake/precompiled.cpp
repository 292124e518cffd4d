/**
 * @file precompiled.cpp
 *
 * Nothing: the target of this file holds the precompiled headers that symvi's
 * programs share (symvi_precompile() in SymviTargets.cmake).
 */
